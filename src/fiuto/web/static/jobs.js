// Jobs as they move. The stream is open only while something runs: browsers allow few.

import { get, remove } from "./api.js";
import { fill, h, number } from "./dom.js";

const ACTIVE = new Set(["waiting", "running"]);
const STAGES = { scan: "Looking for files", read: "Reading", embed: "Embedding", commit: "Writing", Asking: "Asking" };

const jobs = new Map();
const watchers = new Set();
let source = null;

export const isActive = (job) => ACTIVE.has(job.state);
export const allJobs = () => [...jobs.values()];

/** Be told of every job that moves; returns how to be left alone. */
export function watch(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** A job as it stands: one that has ended stays so, whatever an answer asked for earlier says. */
export function latest(job) {
  const known = jobs.get(job.id);
  return known && !isActive(known) ? known : job;
}

/** Take note of a job, and follow it to its end. */
export function note(job) {
  const before = jobs.get(job.id);
  if (before && latest(job) === before) return;
  jobs.set(job.id, job);
  for (const watcher of [...watchers]) watcher(job, before);
  if (isActive(job)) listen();
  else if (![...jobs.values()].some(isActive)) hush();
}

function listen() {
  if (source) return;
  source = new EventSource("/api/events");
  source.addEventListener("job", (event) => note(JSON.parse(event.data)));
  source.addEventListener("open", settle);
}

/** After a pause of the connection: what is running on the server is all that runs. */
async function settle() {
  const known = new Set((await get("/api/jobs")).jobs.map((job) => job.id));
  for (const job of jobs.values()) if (isActive(job) && !known.has(job.id)) note({ ...job, state: "failed", error: { message: "the server was started anew" } });
}

function hush() {
  source?.close();
  source = null;
}

/** A bar for a job, with a button that stops it. */
export function progress(job) {
  const share = job.total ? job.done / job.total : null;
  const told = job.state === "waiting" ? "Waiting for another job" : STAGES[job.stage] || job.stage || "Starting";
  const bar = h("progress", { max: "1", value: share, "aria-label": told });
  if (share === null) bar.removeAttribute("value");
  return h("div.job", { dataset: { job: job.id } },
    h("span.job-stage", {}, told, job.total ? ` ${number(job.done)} of ${number(job.total)}` : ""),
    bar,
    h("span.soft", {}, `${job.seconds.toFixed(1)} s`),
    h("button.small", { type: "button", onclick: async (event) => {
      fill(event.currentTarget, "Stopping…").disabled = true;
      await remove(`/api/jobs/${job.id}`);
    } }, "Stop"));
}

/** How a job ended, in one line; nothing where it went well. */
export function ending(job) {
  if (job.state === "stopped") return h("p.note", {}, "Stopped. What was done is kept; the next run goes on from there.");
  if (job.state === "failed") return h("div.note.bad", {}, h("p", {}, job.error?.message || "failed"),
    (job.error?.faults || []).length > 1 && h("ul", {}, job.error.faults.map((fault) => h("li", {}, fault))));
  return null;
}

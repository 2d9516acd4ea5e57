// Does it find things in this code? The tables of `fiuto eval`.

import { get, post } from "./api.js";
import { fill, h } from "./dom.js";
import { allJobs, ending, isActive, note, progress, watch } from "./jobs.js";

export const title = "Evaluation";

const SHADES = [1, 5, 10, 30, 100]; // as in the report of --html

export async function show(main, url) {
  const { indexes } = await get("/api/indexes");
  const usable = indexes.filter((index) => ["ready", "incomplete"].includes(index.state));
  const working = h("div.working");
  const said = h("div", { role: "status" });
  const result = h("div.result");
  fill(main, h("div.headline", {}, h("h1", {}, "Evaluation"), h("p.soft", {}, "Questions whose answers are known, asked of grep, BM25, the embedder and fiuto: at which rank did each put the answer?")),
    usable.length ? form(usable, url, said) : h("p.note", {}, "Index a folder first. ", h("a", { href: "/" }, "To the indexes")), working, said, result);

  async function ended(job) {
    fill(working);
    fill(said, ending(job));
    if (job.state === "done") {
      history.replaceState(history.state, "", `/eval?run=${job.id}`);
      await tables(result, job.id);
    }
  }
  const unwatch = watch((job) => {
    if (job.kind !== "eval") return;
    if (isActive(job)) { fill(said); fill(working, progress(job)); } else ended(job);
  });
  const running = allJobs().find((job) => job.kind === "eval" && isActive(job));
  if (running) note(running);
  const run = url.searchParams.get("run");
  if (run) await tables(result, run).catch((error) => fill(said, h("p.note", {}, error.message)));
  return unwatch;
}

function form(indexes, url, said) {
  const where = h("select", { id: "eval-index" }, indexes.map((index) => h("option", { value: index.id, selected: index.id === url.searchParams.get("index") }, index.name)));
  const upload = h("input", { id: "eval-file", type: "file", accept: ".json,.toml", onchange: () => choose("upload") });
  const pick = h("select", { id: "eval-pick", onchange: () => choose("pick") });
  const count = h("input", { id: "eval-n", type: "number", min: 1, max: 5000, value: 100, onfocus: () => choose("docs") });
  const scope = h("input", { id: "eval-scope", placeholder: "all  label:source  src/**", spellcheck: "false", autocomplete: "off" });
  const radios = [["upload", "A file of mine", upload], ["pick", "A file of the folder", pick], ["docs", "From doc comments, at most", count]];
  const choose = (value) => { element.querySelector(`input[value="${value}"]`).checked = true; };

  async function offer() {
    const { files } = await get(`/api/indexes/${where.value}/questions`).catch(() => ({ files: [] }));
    fill(pick, files.length ? files.map((path) => h("option", { value: path }, path)) : h("option", { value: "" }, "none named like questions"));
  }
  where.addEventListener("change", offer);

  async function body() {
    const kind = new FormData(element).get("source");
    const scopes = scope.value.split(/\s+/).filter(Boolean);
    if (kind === "docs") return { from_docs: Number(count.value), scope: scopes };
    if (kind === "pick" && !pick.value) throw new Error("No file of this folder is named like questions: choose one of yours.");
    if (kind === "pick") return { path: pick.value, scope: scopes };
    const [file] = upload.files;
    if (!file) throw new Error("Choose a question file first.");
    return { name: file.name, content: await file.text(), scope: scopes };
  }

  const element = h("form.panel.eval-form", { onsubmit: async (event) => {
    event.preventDefault();
    fill(said);
    try {
      note(await post(`/api/indexes/${where.value}/evaluations`, await body()));
    } catch (error) {
      fill(said, h("p.note.bad", { role: "alert" }, error.message));
    }
  } },
    h("div.grid", {}, h("div", {}, h("label", { for: "eval-index" }, "Folder"), where), h("div", {}, h("label", { for: "eval-scope" }, "Scopes"), scope)),
    h("fieldset", {}, h("legend", {}, "Questions"), radios.map(([value, name, control], i) =>
      h("div.choice", {}, h("label.radio", {}, h("input", { type: "radio", name: "source", value, checked: i === 0 }), name), control))),
    h("div.buttons", {}, h("button.primary", {}, "Measure")));
  for (const [, name, control] of radios) control.setAttribute("aria-label", name);
  offer();
  return element;
}

async function tables(place, id) {
  const data = await get(`/api/evaluations/${encodeURIComponent(id)}`);
  fill(place,
    h("div.buttons", {}, h("a.button.small", { href: `/api/evaluations/${id}/report.html`, download: "fiuto-evaluation.html" }, "Report with curves"), h("button.small", { type: "button", onclick: () => save(data.run) }, "JSON for a baseline")),
    h("ul.soft", {}, data.facts.map((fact) => h("li", {}, fact))),
    data.caution && h("p.note", {}, data.caution),
    data.run.warnings.map((warning) => h("p.note", {}, warning)),
    data.tables.map(drawTable));
}

function drawTable(table) {
  const plain = table.header.length - table.ranks;
  const cell = (text, i) => {
    if (i >= plain) return h(`td.rank.${shade(text)}`, {}, text);
    return h(i < table.words ? "td.word" : "td", {}, text);
  };
  return [table.title && h("h2", {}, table.title), h("div.wide", { tabindex: 0, role: "group", "aria-label": table.title || table.header[0] || "figures" },
    h("table", {}, h("thead", {}, h("tr", {}, table.header.map((name, i) => h(i < table.words ? "th.word" : "th", { scope: "col" }, name)))),
      h("tbody", {}, table.rows.map((row) => h("tr", {}, row.map(cell))))))];
}

function shade(text) {
  if (text === "none") return "h7";
  const i = SHADES.findIndex((bound) => Number(text) <= bound);
  return `h${i < 0 ? 6 : i + 1}`;
}

function save(run) {
  const link = h("a", { href: URL.createObjectURL(new Blob([JSON.stringify(run, null, 1)], { type: "application/json" })), download: "fiuto-baseline.json" });
  link.click();
  URL.revokeObjectURL(link.href);
}

// The question, its filters, and the answer as it comes.

import { address, get } from "./api.js";
import { drawCompare } from "./compare.js";
import { counted, fill, h, number } from "./dom.js";
import { filters } from "./filters.js";
import { drawHits } from "./hits.js";
import { isActive, note, progress, watch } from "./jobs.js";

export const title = "Search";

const TYPING = 140; // ms of silence before a question is asked: between two keys of a word
const SETTLED = 450; // ms after which the folder itself is looked at too
const LAST = "fiuto:index";
const HITS = 10; // at first
const MOST = 200; // as the API allows

let page = null;

export async function show(main, url, { restored, go }) {
  const { indexes } = await get("/api/indexes");
  const usable = indexes.filter((index) => index.state !== "gone");
  if (!usable.length) {
    fill(main, h("div.empty", {}, h("h1", {}, "Nothing to search in yet"), h("p", {}, "Index a folder first; it takes seconds."), h("p", {}, h("a.button.primary", { href: "/" }, "Add a folder"))));
    return null;
  }
  let asked = url.searchParams.get("index") || localStorage.getItem(LAST);
  if (!usable.some((index) => index.id === asked)) asked = usable[0].id;
  page = new Page(main, usable, asked, url, go);
  await page.start(restored);
  const mine = page;
  return () => { mine.close(); if (page === mine) page = null; };
}

/** Keys of this view; `app.js` calls it. */
export function key(event, typing) {
  page?.key(event, typing);
}

class Page {
  constructor(main, indexes, id, url, go) {
    this.indexes = indexes;
    this.id = id;
    this.go = go;
    this.compare = url.searchParams.get("view") === "compare";
    this.k = Math.min(Math.max(Number.parseInt(url.searchParams.get("k"), 10) || HITS, 1), MOST);
    this.running = new AbortController();
    this.timers = [];
    this.shown = "";
    this.question = h("input", { id: "q", type: "search", name: "q", maxlength: 10000, autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search",
      placeholder: "Ask in plain words, or type a name", value: url.searchParams.get("q") || "", "aria-label": "Question", oninput: () => { this.k = HITS; this.typed(); }, onkeydown: (event) => this.inQuestion(event) });
    this.where = h("select", { id: "where", "aria-label": "Folder", onchange: () => this.moved() },
      indexes.map((index) => h("option", { value: index.id, selected: index.id === id }, index.profile === "default" ? index.name : `${index.name} (${index.profile})`)));
    this.filters = filters(url, () => this.typed(0));
    this.side = h("button.toggle", { type: "button", "aria-pressed": String(this.compare), title: "Hybrid, keyword and meaning side by side (s)", onclick: () => this.toggleCompare() }, "Side by side");
    this.filters.modes.disabled = this.compare; // it shows all three
    this.status = h("p.status", { role: "status", "aria-live": "polite" });
    this.notes = h("div.notes");
    this.answer = h("div.answer");
    this.job = h("div.working");
    fill(main, h("h1.sr", {}, "Search"),
      h("form.ask", { role: "search", onsubmit: (event) => { event.preventDefault(); this.typed(0); } }, h("div.ask-row", {}, this.question, h("span.in", { "aria-hidden": "true" }, "in"), this.where)),
      h("div.filters", {}, this.filters.modes, this.side, this.filters.element),
      this.job, this.status, this.notes, this.answer);
  }

  async start(restored) {
    this.unwatch = watch((job) => this.jobMoved(job));
    await this.loadFilters();
    if (!restored || !this.question.value) this.question.focus({ preventScroll: true });
    if (this.question.value.trim()) await this.ask({ restored });
    else this.welcome();
  }

  close() {
    this.unwatch?.();
    this.timers.forEach(clearTimeout);
    this.running.abort();
  }

  get index() {
    return this.indexes.find((index) => index.id === this.id);
  }

  async loadFilters() {
    try {
      const data = await get(`/api/indexes/${this.id}`);
      if (data.job) note(data.job);
      this.filters.offer(data.languages || {}, data.labels || {});
    } catch { /* the answer will say what is wrong */ }
    // The first question of a server loads the model; it can do so while one types.
    get("/api/search", { index: this.id, q: "warm", k: 1, refresh: false }).catch(() => {});
  }

  async moved() {
    this.id = this.where.value;
    this.k = HITS;
    localStorage.setItem(LAST, this.id);
    fill(this.job);
    await this.loadFilters();
    this.typed(0);
  }

  toggleCompare() {
    this.compare = !this.compare;
    this.side.setAttribute("aria-pressed", String(this.compare));
    this.filters.modes.disabled = this.compare;
    this.typed(0);
  }

  typed(wait = TYPING) {
    this.timers.forEach(clearTimeout);
    this.timers = [setTimeout(() => this.ask(), wait)];
  }

  params() {
    return { index: this.id, q: this.question.value.trim(), ...this.filters.values() };
  }

  async ask({ restored = false } = {}) {
    this.running.abort();
    this.running = new AbortController();
    localStorage.setItem(LAST, this.id);
    const params = this.params();
    history.replaceState(history.state, "", address("/search", { ...params, k: this.k === HITS ? "" : this.k, view: this.compare ? "compare" : "" }));
    document.title = params.q ? `${params.q} · fiuto` : "Search · fiuto";
    if (!params.q) {
      this.welcome();
      return;
    }
    this.answer.setAttribute("aria-busy", "true");
    await this.run(params, false);
    if (restored) this.focusAgain();
    this.timers.push(setTimeout(() => this.run(params, true), SETTLED));
  }

  /** Ask once: as the index stands, or after a look at the folder. */
  async run(params, refresh) {
    const { signal } = this.running;
    const started = performance.now();
    const query = { k: this.k, ...params, lines: true, refresh };
    try {
      const modes = this.compare ? ["hybrid", "lexical", "semantic"] : [params.mode];
      const answers = await Promise.all(modes.map((mode, i) => get("/api/search", { ...query, mode, refresh: refresh && i === 0 }, signal)));
      if (signal.aborted) return;
      this.draw(answers, params, performance.now() - started);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.failed(error);
    } finally {
      if (!signal.aborted) this.answer.removeAttribute("aria-busy");
    }
  }

  draw(answers, params, ms) {
    const [first] = answers;
    const { hits } = first;
    const signature = JSON.stringify([params, this.compare, answers.map((a) => [a.hits, a.also, a.confidence])]);
    if (this.shown !== signature) {
      const at = document.activeElement?.closest?.("[data-hit]")?.dataset.hit;
      this.shown = signature;
      if (this.compare) drawCompare(this.answer, answers, params, this.index);
      else drawHits(this.answer, first, params, this.index);
      if (this.k < MOST && answers.some((answer) => answer.hits.length >= this.k)) this.answer.append(h("button.more-hits", { type: "button", onclick: () => this.more() }, "More hits"));
      if (at) this.answer.querySelector(`[data-hit="${CSS.escape(at)}"] a.place`)?.focus({ preventScroll: true });
      const { files, chunks } = first.index;
      fill(this.status, hits.length ? `${counted(hits.length, "hit")} ` : "Nothing found ", h("span.soft", {}, `in ${counted(files, "file")}, ${counted(chunks, "chunk")}, ${Math.round(ms)} ms`));
      if (!hits.length && this.filters.narrow()) this.status.append(" ", h("button.small", { type: "button", onclick: () => { this.filters.clear(); this.typed(0); } }, "Clear the filters"));
    }
    const warnings = [...new Set(answers.flatMap((answer) => answer.warnings))];
    fill(this.notes, confidence(first.confidence, hits.length), warnings.map((text) => h("p.note", {}, text)));
  }

  /** The same question, with as many hits again; the first new one is where one goes on. */
  async more() {
    const list = () => this.answer.querySelectorAll(this.compare ? ".column:first-child a.place" : "a.place");
    const at = list().length;
    this.k = Math.min(2 * this.k, MOST);
    await this.ask();
    list()[at]?.focus();
  }

  failed(error) {
    this.shown = "";
    fill(this.status);
    fill(this.answer);
    const hint = error.kind === "no-index" ? [" ", h("a", { href: "/" }, "Index it on the Indexes page.")] : null;
    fill(this.notes, h("p.note.bad", { role: "alert" }, error.kind === "no-index" ? "This folder has no index yet." : error.message, hint));
  }

  welcome() {
    this.shown = "";
    fill(this.notes);
    fill(this.status);
    const { index } = this;
    fill(this.answer, h("div.welcome", {},
      h("p", {}, "Ask ", h("b", {}, index.name), " where something happens. It need not be the words of the code: \u201cdon\u2019t send the password to another site\u201d finds a function of another name."),
      index.files > 0 && h("p.soft", {}, `${number(index.files)} files, ${number(index.chunks)} chunks. `, h("kbd", {}, "?"), " lists the keys.")));
  }

  jobMoved(job) {
    if (job.index !== this.id || job.kind !== "index") return;
    if (isActive(job)) fill(this.job, progress(job));
    else {
      fill(this.job);
      this.loadFilters();
      if (this.question.value.trim()) this.typed(0);
    }
  }

  places() {
    return [...this.answer.querySelectorAll("[data-hit] a.place")];
  }

  focusAgain() {
    const at = history.state?.hit;
    if (at) this.answer.querySelector(`[data-hit="${CSS.escape(at)}"] a.place`)?.focus();
  }

  inQuestion(event) {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      this.places()[0]?.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.places()[0] ? this.places()[0].focus() : this.question.blur();
    }
  }

  key(event, typing) {
    if (typing) return;
    const hit = document.activeElement?.closest?.("[data-hit]");
    const listed = hit || document.activeElement?.matches(".more-hits");
    const act = (name) => hit?.querySelector(`[data-act="${name}"]`)?.click();
    const move = (step) => {
      const places = [...this.answer.querySelectorAll("[data-hit] a.place, .more-hits")];
      const at = places.findIndex((place) => place === document.activeElement || hit?.contains(place));
      const next = places[at < 0 ? (step > 0 ? 0 : places.length - 1) : Math.min(Math.max(at + step, 0), places.length - 1)];
      next?.focus({ preventScroll: true });
      (next?.closest("[data-hit]") || next)?.scrollIntoView({ block: "nearest" });
    };
    const keys = {
      "/": () => { this.question.focus(); this.question.select(); },
      j: () => move(1), k: () => move(-1), ArrowDown: listed && (() => move(1)), ArrowUp: listed && (() => move(-1)),
      o: () => act("open"), e: () => act("editor"), c: () => act("copy"), w: () => act("why"), x: () => act("expand"),
      s: () => this.toggleCompare(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}

function confidence(level, hits) {
  if (level === "none") return h("p.note.unsure", { role: "status" }, h("b", {}, "Nothing here seems to answer this."), hits ? " These are the nearest places all the same." : "");
  if (level === "low") return h("p.note", {}, "Not sure about these: other words may find it sooner.");
  return null;
}

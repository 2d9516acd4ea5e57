// Every index: its figures, what was left out, and adding, re-indexing, forgetting.

import { address, get, post, remove } from "./api.js";
import { ago, counted, fill, h, number, size, toast } from "./dom.js";
import { ending, isActive, latest, note, progress, watch } from "./jobs.js";
import { editorAddress } from "./prefs.js";

export const title = "Indexes";

const PAGE = 200;

export async function show(main) {
  const list = h("ul.cards", { "aria-label": "Indexes" });
  const cards = new Map();
  const empty = h("div.empty", { hidden: true },
    h("h2", {}, "Nothing indexed yet"),
    h("p", {}, "Name a folder of code above. It is read on this machine, and stays on it."));
  fill(main, h("div.headline", {}, h("h1", {}, "Indexes"), h("p.soft", {}, "Folders you can ask. Everything stays on this machine.")), adding(load), empty, list);

  let asked = 0;
  async function load() {
    const turn = ++asked;
    const { indexes } = await get("/api/indexes");
    if (turn !== asked) return;
    empty.hidden = indexes.length > 0;
    const known = new Set(indexes.map((index) => index.id));
    for (const [id, card] of cards) if (!known.has(id)) { card.element.remove(); cards.delete(id); }
    for (const index of indexes) {
      let card = cards.get(index.id);
      if (!card) {
        card = makeCard(load);
        cards.set(index.id, card);
        list.append(card.element);
      }
      card.draw(index);
    }
  }

  const unwatch = watch((job) => {
    if (job.kind !== "index") return;
    const card = cards.get(job.index);
    if (!card) load();
    else if (isActive(job)) card.moved(job);
    else { card.ended(job); load(); }
  });
  await load();
  return unwatch;
}

/** The form that adds a folder. */
function adding(load) {
  const folders = h("datalist", { id: "folders" });
  const said = h("div", { role: "alert" });
  let last = 0;
  const root = h("input", { id: "root", required: true, list: "folders", placeholder: "/home/you/project", spellcheck: "false", autocomplete: "off", oninput: async () => {
    const turn = ++last;
    const found = /^~?\//.test(root.value)
      ? await get("/api/folders", { under: root.value }).catch(() => ({ folders: [] })) : { folders: [] };
    if (turn === last) fill(folders, found.folders.map((name) => h("option", { value: name })));
  } });
  const embedder = h("select", { id: "embedder" }, h("option", { value: "" }, "the one it has, or the shipped one"));
  const chunker = h("select", { id: "chunker" }, h("option", { value: "" }, "the one it has, or by syntax"), h("option", { value: "syntax" }, "by syntax"), h("option", { value: "lines" }, "by lines"));
  const profile = h("select", { id: "profile" }, h("option", { value: "" }, "default"), h("option", { value: "article" }, "article: the published measurement"));
  const more = h("details.more", { ontoggle: async () => {
    if (!more.open || embedder.length > 1) return;
    const { models } = await get("/api/models");
    embedder.append(...models.map((m) => h("option", { value: m.name }, `${m.name}: ${m.notes}`)));
  } }, h("summary", {}, "How to index it"), h("div.grid", {},
    h("div", {}, h("label", { for: "embedder" }, "Embedding model"), embedder),
    h("div", {}, h("label", { for: "chunker" }, "Chunks"), chunker),
    h("div", {}, h("label", { for: "profile" }, "Profile"), profile)));
  return h("form.panel", { onsubmit: async (event) => {
    event.preventDefault();
    fill(said);
    try {
      const { job } = await post("/api/indexes", { root: root.value.trim(), embedder: embedder.value || null, chunker: chunker.value || null, profile: profile.value || null });
      root.value = "";
      await load();
      note(job);
    } catch (error) {
      fill(said, h("p.note.bad", {}, error.message));
      root.focus();
    }
  } },
    h("label", { for: "root" }, "Add a folder"),
    h("div.row", {}, root, folders, h("button.primary", {}, "Index it")), more, said);
}

/** One index; drawn again when its figures change. */
function makeCard(load) {
  const body = h("div");
  const working = h("div.working", { "aria-live": "off" });
  const said = h("div", { role: "status" });
  const element = h("li.card", {}, body, working, said);
  let drawn = "";

  async function act(call) {
    fill(said);
    try {
      const answer = await call();
      if (answer.job) note(answer.job);
      await load();
    } catch (error) {
      fill(said, h("p.note.bad", {}, error.message));
    }
  }

  function draw(index) {
    element.dataset.index = index.id;
    if (index.job && isActive(latest(index.job))) moved(index.job);
    else fill(working);
    const { job, ...figures } = index;
    if (JSON.stringify(figures) === drawn) return;
    drawn = JSON.stringify(figures);
    fill(body, head(index, act), ["ready", "incomplete"].includes(index.state) ? [figuresOf(index), details(index)] : h("p.note", {}, STATES[index.state], " ", index.fault || ""));
    if (index.state === "ready") freshness(index, body.querySelector(".fresh"));
  }

  function moved(job) {
    fill(said);
    const before = working.querySelector("button");
    if (before?.disabled && working.firstChild.dataset.job === job.id) {
      const next = progress(job);
      fill(working, next);
      fill(next.querySelector("button"), "Stopping…").disabled = true;
    } else if (before && document.activeElement === before) {
      fill(working, progress(job));
      working.querySelector("button").focus();
    } else fill(working, progress(job));
  }

  function ended(job) {
    fill(working);
    drawn = "";
    fill(said, ending(job) || h("p.note.good", {}, `Up to date; took ${job.seconds.toFixed(1)} s.`));
  }

  return { element, draw, moved, ended };
}

const STATES = {
  missing: "Not indexed yet.",
  gone: "The folder is gone; the index can be forgotten.",
  damaged: "The index is damaged. Re-index it to mend it.",
};

function head(index, act) {
  const searchable = ["ready", "incomplete"].includes(index.state);
  const name = searchable ? h("a", { href: address("/search", { index: index.id }) }, index.name) : index.name;
  const forget = h("button.small.quiet", { type: "button", "aria-label": `Forget ${index.name}`, onclick: () => {
    if (forget.dataset.sure) act(async () => { const gone = await remove(`/api/indexes/${index.id}`); toast(`Forgot ${gone.root}`); return gone; });
    else {
      forget.dataset.sure = "1";
      fill(forget, "Really forget?").setAttribute("aria-label", `Really forget ${index.name}?`);
      setTimeout(() => { delete forget.dataset.sure; fill(forget, "Forget").setAttribute("aria-label", `Forget ${index.name}`); }, 4000);
    }
  } }, "Forget");
  const again = (rebuild) => () => act(() => post(`/api/indexes/${index.id}/refresh`, { rebuild }));
  return h("div.card-head", {},
    h("div", {}, h("h2", {}, name, index.profile !== "default" && h("span.chip", {}, index.profile)), h("p.path", {}, index.root)),
    h("div.card-tools", {},
      searchable && h("a.button.small.primary", { href: address("/search", { index: index.id }), "aria-label": `Search in ${index.name}` }, "Search"),
      index.state !== "gone" && h("button.small", { type: "button", onclick: again(index.state === "damaged"), "aria-label": `Re-index ${index.name}` }, "Re-index"),
      searchable && h("button.small.quiet", { type: "button", onclick: again(true), "aria-label": `Rebuild ${index.name}`, title: "Start over" }, "Rebuild"),
      forget));
}

function figuresOf(index) {
  const left = Object.values(index.skipped).reduce((a, b) => a + b, 0);
  const rows = [
    ["Files", number(index.files), size(index.bytes)],
    ["Chunks", number(index.chunks), index.chunker],
    ["On disk", size(index.on_disk), ""],
    ["Left out", number(left), left ? "files, by reason below" : ""],
    ["Truncated", number(index.truncated), index.truncated ? "chunks, read in part" : "every chunk was read whole"],
  ];
  return [
    h("dl.figures", {}, rows.map(([name, value, small]) => h("div", {}, h("dt", {}, name), h("dd", {}, value, small && h("small", {}, small))))),
    h("p.soft.made", {}, index.embedder ? `${index.embedder.name}, ${index.embedder.dimension} dimensions, revision ${index.embedder.revision.slice(0, 12)}` : "no embedder: keyword search only"),
    h("p.fresh", { role: "status" }, index.state === "incomplete" ? "Not complete yet: re-index to finish it." : ""),
    index.truncated > 0 && h("p.note", {}, `The embedding model read only the start of ${counted(index.truncated, "chunk")}: one with a longer window would see more.`),
    index.unembedded > 0 && h("p.note", {}, `${counted(index.unembedded, "file")} without vectors.`),
  ];
}

/** What changed on disk since; asked for apart, because a large tree takes a while. */
async function freshness(index, place) {
  try {
    const found = await get(`/api/indexes/${index.id}/changes`);
    const told = Object.entries(found).filter(([, n]) => n).map(([what, n]) => `${number(n)} ${what}`);
    place.classList.add(told.length ? "stale" : "good");
    fill(place, h("span.dot", { "aria-hidden": "true" }), told.length ? `Since the last look: ${told.join(", ")}; the next search takes them in.` : "Fresh: nothing changed on disk.");
  } catch (error) {
    fill(place, error.message);
  }
}

/** Languages, labels, and the files left out, by reason. */
function details(index) {
  const inner = h("div");
  const box = h("details.more", { ontoggle: async () => {
    if (!box.open || inner.childNodes.length) return;
    const data = await get(`/api/indexes/${index.id}`);
    const reasons = Object.entries(data.skipped).sort((a, b) => b[1] - a[1]);
    fill(inner,
      shares("Languages", data.languages, (name) => address("/search", { index: index.id, lang: name })),
      shares("Labels", data.labels, (name) => address("/search", { index: index.id, only: name })),
      h("h3", {}, "Left out"),
      reasons.length ? reasons.map(([reason, count]) => skippedBox(index, reason, count, data.reasons[reason])) : h("p.soft", {}, "Nothing but what git ignores."),
      data.read_at > 0 && h("p.soft", {}, `Files last read ${ago(data.read_at)}. Generation ${data.generation}.`));
  } }, h("summary", {}, "What is in it, and what is not"), inner);
  return box;
}

function shares(name, counts, href) {
  const entries = Object.entries(counts).filter(([what]) => what);
  return [h("h3", {}, name), h("ul.shares", {}, entries.map(([what, n]) => h("li", {}, h("a.chip", { href: href(what) }, what, h("small", {}, number(n))))))];
}

function skippedBox(index, reason, count, sentence) {
  const files = h("ul.files");
  const more = h("button.small", { type: "button", hidden: true, onclick: () => page() }, "More");
  async function page() {
    const data = await get(`/api/indexes/${index.id}/skipped`, { reason, after: files.childNodes.length, limit: PAGE });
    files.append(...data.files.map((file) => h("li", {},
      file.path.endsWith("/") ? h("span.path", {}, file.path) : h("a.path", { href: editorAddress(data.root, file.path, 1), title: "Open in the editor" }, file.path),
      file.detail && h("span.soft", {}, ` ${file.detail}`))));
    more.hidden = files.childNodes.length >= data.total;
  }
  const box = h("details.reason", { ontoggle: () => { if (box.open && !files.childNodes.length) page(); } },
    h("summary", {}, h("span.chip", {}, reason), ` ${number(count)} `, h("span.soft", {}, sentence)), files, more);
  return box;
}

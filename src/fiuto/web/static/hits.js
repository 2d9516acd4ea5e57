// One answer: each hit with its place, why it is here, and the lines that say most.

import { address } from "./api.js";
import { codeBlock } from "./code.js";
import { counted, fill, h, icon, number, toast } from "./dom.js";
import { editorAddress } from "./prefs.js";

const NAMES = { lexical: "keyword", semantic: "meaning", definition: "definition" };
const COLOURS = 5; // of parts that have no colour of their own
const SYMBOLS = 3; // names in a heading; a chunk of small definitions holds many

export const partName = (name) => NAMES[name] || name.replaceAll("_", " ");

/** What a hit is called in this page; equal for the same lines. */
export const hitKey = (hit) => `${hit.path}:${hit.start}-${hit.end}`;

/** Where a hit is shown in its file. */
export function hitAddress(hit, params) {
  return address("/file", { index: params.index, path: hit.path, lines: `${hit.start}-${hit.end}`, q: params.q });
}

/** The place of a hit as a link that remembers where one came from. */
export function placeLink(hit, params, nth = 0) {
  const slash = hit.path.lastIndexOf("/") + 1;
  return h("a.place", { href: hitAddress(hit, params), dataset: { act: "open" }, onclick: () => history.replaceState({ ...history.state, hit: hitKey(hit) }, "") },
    nth > 0 && h("span.nth", { "aria-hidden": "true" }, String(nth)), h("span.dir", {}, hit.path.slice(0, slash)), h("b", {}, hit.path.slice(slash)), h("span.range", {}, `:${hit.start}-${hit.end}`));
}

/** Copy text, also where the page is not in a secure context. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea.sr", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(`Copied ${text}`);
}

export function drawHits(place, answer, params, index) {
  const top = Math.max(...answer.hits.map((hit) => weight(hit.parts)), Number.MIN_VALUE);
  fill(place, answer.hits.length > 0 && h("ol.hits", {}, answer.hits.map((hit, i) => drawHit(hit, i, top, answer, params, index))), also(answer.also, params));
}

function drawHit(hit, i, top, answer, params, index) {
  const root = answer.index.root;
  const why = h("div.why-panel", { hidden: true, id: `why-${i}` }, explained(hit));
  const bar = h("button.why", { type: "button", "aria-expanded": "false", "aria-controls": `why-${i}`, dataset: { act: "why" }, "aria-label": `Why is this hit ${i + 1}?`, title: "Why it is here (w)", onclick: () => {
    why.hidden = !why.hidden;
    bar.setAttribute("aria-expanded", String(!why.hidden));
  } }, h("span.bar", {}, segments(hit.parts, top)));
  return h("li.hit", { dataset: { hit: hitKey(hit) } },
    h("div.hit-head", {},
      placeLink(hit, params, i + 1),
      hit.symbol && h("span.symbol", {}, symbols(hit)),
      h(`span.chip.${hit.label}`, {}, hit.label),
      !hit.verified && h("span.chip.stale", { title: "These lines are not in the file any more" }, "stale"),
      h("span.hit-tools", {}, bar,
        h("a.tool", { href: editorAddress(root, hit.path, hit.best), dataset: { act: "editor" }, "aria-label": `Open ${hit.path} line ${hit.best} in the editor`, title: "Open in the editor (e)" }, icon("editor")),
        h("button.tool", { type: "button", dataset: { act: "copy" }, "aria-label": `Copy ${hit.path}:${hit.best}`, title: "Copy path:line (c)", onclick: () => copy(`${hit.path}:${hit.best}`) }, icon("copy")))),
    why, excerpt(hit), copies(hit, params, index));
}

/** Names that are asked about come first on the server's side; the rest is counted. */
export function symbols(hit, most = SYMBOLS) {
  const names = hit.symbol.split(" ");
  if (hit.kind === "section" || names.length <= most) return hit.symbol;
  return `${names.slice(0, most).join(" ")} +${names.length - most}`;
}

/** What a score's parts come to when none cancels another. */
const weight = (parts) => Object.values(parts).reduce((sum, value) => sum + Math.abs(value), 0);

/** Parts that raise a score, the weightiest first, then those that lower it; each with its colour. */
function ordered(parts) {
  const rows = Object.entries(parts).sort(([, a], [, b]) => (a < 0) - (b < 0) || Math.abs(b) - Math.abs(a));
  let others = 0;
  return rows.map(([name, value]) => [name, value, value < 0 ? "less" : name in NAMES ? name : `other-${others++ % COLOURS}`]);
}

/** The parts of a score as widths of one bar; the weightiest hit fills it. */
function segments(parts, top) {
  return ordered(parts).map(([, value, colour]) => {
    const part = h("span", { class: `part part-${colour}` });
    part.style.width = `${(100 * Math.abs(value)) / top}%`;
    return part;
  });
}

function explained(hit) {
  const rows = ordered(hit.parts).map(([name, value, colour]) => h("tr", {},
    h("th", { scope: "row" }, h("span", { class: `swatch part-${colour}` }), partName(name)),
    h("td", {}, value.toFixed(4)),
    h("td.soft", {}, hit.ranks[name] ? `rank ${number(hit.ranks[name])} in its list` : "")));
  const missing = ["lexical", "semantic"].filter((name) => !(name in hit.parts)).map(partName);
  return [h("table", {}, h("tbody", {}, rows), h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "score"), h("td", {}, hit.score.toFixed(4)), h("td")))),
    missing.length === 1 && h("p.soft", {}, `Not among the best by ${missing[0]}.`)];
}

function excerpt(hit) {
  const { first, count } = hit.excerpt;
  const some = hit.lines.slice(first - hit.start, first - hit.start + count);
  const body = h("div", {}, codeBlock(some, first));
  const rest = hit.lines.length - some.length;
  if (rest <= 0) return body;
  const label = () => (open ? "Fewer lines" : `All ${counted(hit.lines.length, "line")}`);
  let open = false;
  const button = h("button.expand", { type: "button", "aria-expanded": "false", dataset: { act: "expand" }, onclick: () => {
    open = !open;
    fill(body, open ? codeBlock(hit.lines, hit.start) : codeBlock(some, first));
    button.setAttribute("aria-expanded", String(open));
    fill(button, label());
  } }, label());
  return [body, button];
}

function copies(hit, params, index) {
  if (!hit.copies.length) return null;
  return h("details.copies", {}, h("summary", {}, counted(hit.copies.length, "copy", "copies")),
    h("ul.files", {}, hit.copies.map((path) => h("li", {}, h("a.path", { href: address("/file", { index: index.id, path, q: params.q }) }, path)))));
}

/** What a list of ten leaves unsaid: how many more files hold the names that were asked for. */
function also(found, params) {
  if (!found?.total) return null;
  const names = found.identifiers || [];
  const files = found.files || [];
  const head = [`Also: ${counted(found.total, "more file")} contain${found.total === 1 ? "s" : ""} `, names.map((name, i) => [i ? ", " : "", h("code", {}, name)])];
  if (!files.length) return h("p.also", {}, head);
  return h("details.also", {}, h("summary", {}, head), h("ul.files", {}, files.map((path) => h("li", {}, h("a.path", { href: address("/file", { index: params.index, path, q: params.q }) }, path)))));
}

// A file, with the lines of a hit lit; a click on a number makes an address of it.

import { address, get } from "./api.js";
import { codeLine } from "./code.js";
import { counted, fill, h, icon, size } from "./dom.js";
import { copy } from "./hits.js";
import { editorAddress } from "./prefs.js";

export const title = "File";

let back = null;

const cameFromSearch = () => Boolean(history.state?.from);

/** First and last line of `127-157` or `127`. */
function rangeOf(text) {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text || "");
  if (!match) return null;
  const [first, last] = [Number(match[1]), Number(match[2] || match[1])];
  return first && last >= first ? { first, last } : null;
}

export async function show(main, url, { go }) {
  const params = Object.fromEntries(["index", "path", "lines", "q"].map((name) => [name, url.searchParams.get(name) || ""]));
  const file = await get(`/api/indexes/${encodeURIComponent(params.index)}/file`, { path: params.path, q: params.q });
  let range = rangeOf(params.lines);
  document.title = `${params.path} · fiuto`;
  const answer = address("/search", { index: params.index, q: params.q });
  // Where one came from a search, its filters and place in the list are one step back.
  back = () => (cameFromSearch() ? history.back() : go(answer));

  const place = h("code.copyable", {}, "");
  const editor = h("a.button.small", {}, icon("editor"), "Open in editor");
  const told = () => (range ? `${file.path}:${range.first}${range.last > range.first ? `-${range.last}` : ""}` : file.path);
  const here = (lines) => address("/file", { index: params.index, path: params.path, lines, q: params.q });

  const lines = file.lines.map((pieces, i) => codeLine(pieces, i + 1, { href: here(i + 1) }));
  const blocks = [];
  for (let i = 0; i < lines.length; i += 100) blocks.push(h("div.block", {}, lines.slice(i, i + 100)));
  const code = h("div.code.whole", { onclick: (event) => {
    const number = event.target.closest("a.num");
    if (!number) return;
    event.preventDefault();
    const n = Number(number.parentElement.dataset.n);
    range = event.shiftKey && range ? { first: Math.min(range.first, n), last: Math.max(range.last, n) } : { first: n, last: n };
    history.replaceState(history.state, "", here(range.first === range.last ? range.first : `${range.first}-${range.last}`));
    lit();
  } }, blocks);

  function lit() {
    for (const line of code.querySelectorAll(".lit")) line.classList.remove("lit");
    if (range) for (const line of lines.slice(range.first - 1, range.last)) line.classList.add("lit");
    fill(place, told().slice(file.path.length));
    editor.href = editorAddress(file.root, file.path, range?.first || 1);
  }

  const crumbs = file.path.split("/");
  fill(main,
    h("div.file-head", {},
      h("p.back", {}, h("a", { href: answer, "aria-label": "Back to the answer", onclick: (event) => { event.preventDefault(); back(); } }, "\u2190 Back")),
      h("h1.path", {}, crumbs.map((part, i) => [i ? h("span.slash", {}, "/") : "", i === crumbs.length - 1 ? h("b", {}, part) : part])),
      h("p.soft.about", {}, `${counted(file.lines.length, "line")}, ${size(file.bytes)}${file.language ? `, ${file.language}` : ""}${file.encoding === "utf-8" ? "" : `, ${file.encoding}`} `, h(`span.chip.${file.label}`, {}, file.label)),
      h("div.buttons", {}, editor, h("button.small", { type: "button", onclick: () => copy(told()) }, icon("copy"), "Copy ", place))),
    code);
  lit();
  const first = range && lines[range.first - 1];
  if (first) {
    first.querySelector("a.num").focus({ preventScroll: true });
    first.scrollIntoView({ block: "center" });
  }
  return () => { back = null; };
}

export function key(event, typing) {
  if (typing) return;
  if (event.key === "Escape" || event.key === "/") {
    event.preventDefault();
    back?.();
  } else if (event.key === "e") document.querySelector(".file-head a.button")?.click();
  else if (event.key === "c") document.querySelector(".file-head button")?.click();
}

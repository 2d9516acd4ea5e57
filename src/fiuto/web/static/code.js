// Lines of coloured pieces, as the server cuts them: [class, text] or [class, text, 1].

import { h } from "./dom.js";

const KINDS = new Set(["k", "s", "c", "n", "f", "d", "b"]);

function piece([kind, text, marked]) {
  const inner = KINDS.has(kind) ? h("span", { class: `t-${kind}` }, text) : text;
  return marked ? h("mark", {}, inner) : inner;
}

/** One line with its number; `href` makes the number a link. */
export function codeLine(pieces, number, { href = null, lit = false } = {}) {
  const label = href ? h("a.num", { href, "aria-label": `line ${number}` }, String(number)) : h("span.num", {}, String(number));
  return h(lit ? "div.line.lit" : "div.line", { id: href ? `L${number}` : null, dataset: { n: number } },
    label, h("code", {}, pieces.length ? pieces.map(piece) : "\u200b"));
}

/** Some lines of a hit. */
export function codeBlock(lines, first) {
  return h("div.code", {}, lines.map((pieces, i) => codeLine(pieces, first + i)));
}

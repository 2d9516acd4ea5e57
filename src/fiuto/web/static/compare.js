// Three lists side by side: what words find, what meaning finds, and what both make.

import { codeBlock } from "./code.js";
import { fill, h } from "./dom.js";
import { hitKey, partName, placeLink, symbols } from "./hits.js";

const HEADS = [
  ["Hybrid", "both lists, fused"],
  ["Keyword", "BM25 over identifiers"],
  ["Meaning", "nearest vectors"],
];

export function drawCompare(place, answers, params, _index) {
  const ranks = answers.map((answer) => new Map(answer.hits.map((hit, i) => [hitKey(hit), i + 1])));
  const grid = h("div.compare", { onmouseover: light, onfocusin: light, onmouseleave: () => unlight(grid), onfocusout: () => unlight(grid) },
    answers.map((answer, column) => h("section.column", { "aria-label": `${HEADS[column][0]} list` },
      h("h2", {}, HEADS[column][0], h("small", {}, HEADS[column][1])),
      answer.hits.length ? h("ol", {}, answer.hits.map((hit) => entry(hit, column, ranks, params))) : h("p.soft", {}, "Nothing."))));
  fill(place, grid);
}

function entry(hit, column, ranks, params) {
  const elsewhere = HEADS.map(([name], other) => (other === column ? null : [name, ranks[other].get(hitKey(hit))])).filter(Boolean);
  const alone = elsewhere.every(([, rank]) => !rank);
  const at = hit.best - hit.start;
  return h("li.entry", { dataset: { hit: hitKey(hit) } },
    placeLink(hit, params),
    hit.symbol && h("span.symbol", {}, symbols(hit, 1)),
    h(`span.chip.${hit.label}`, {}, hit.label),
    codeBlock(hit.lines.slice(at, at + 1), hit.best),
    h("p.elsewhere", {}, alone && column ? h("span", {}, `only by ${partName(["", "lexical", "semantic"][column])}`)
      : elsewhere.map(([name, rank]) => h("span", {}, `${name.toLowerCase()} ${rank ? `#${rank}` : "-"}`))));
}

/** The same hit in the other lists. */
function light(event) {
  const grid = event.currentTarget;
  unlight(grid);
  const at = event.target.closest?.("[data-hit]")?.dataset.hit;
  if (at) for (const twin of grid.querySelectorAll(`[data-hit="${CSS.escape(at)}"]`)) twin.classList.add("twin");
}

function unlight(grid) {
  for (const lit of grid.querySelectorAll(".twin")) lit.classList.remove("twin");
}

// What may answer: mode, labels, language, path. The address holds it all.

import { fill, h, number } from "./dom.js";

const LABELS = ["source", "test", "docs", "example", "config", "generated", "vendored"];
const MODES = [["", "Hybrid"], ["lexical", "Keyword"], ["semantic", "Meaning"]];

/** The filters as they stand in `url`; `changed` is called whenever one moves. */
export function filters(url, changed) {
  const params = url.searchParams;
  const hidden = new Set(params.getAll("no"));
  let only = new Set(params.getAll("only"));
  let counts = {};

  const modes = h("fieldset.segments", {}, h("legend.sr", {}, "Which lists answer"), MODES.map(([value, name]) =>
    h("label", {}, h("input", { type: "radio", name: "mode", value, checked: (params.get("mode") || "").replace("hybrid", "") === value, onchange: changed }), h("span", {}, name))));
  const labels = h("div.labels", { role: "group", "aria-label": "Labels that may answer" });
  const language = h("select", { id: "lang", "aria-label": "Language", onchange: changed }, h("option", { value: "" }, "Any language"));
  const path = h("input.path-glob", { id: "path", "aria-label": "Path, as a glob", placeholder: "src/**", spellcheck: "false", autocomplete: "off", autocapitalize: "off", value: params.getAll("path").join(" "), oninput: changed });
  const wanted = params.getAll("lang");
  if (wanted[0]) language.append(h("option", { value: wanted[0], selected: true }, wanted[0]));
  const source = h("button.toggle", { type: "button", id: "only-source", "aria-pressed": "false", title: "Hide everything that is not source", onclick: () => {
    only = only.size === 1 && only.has("source") ? new Set() : new Set(["source"]);
    hidden.clear();
    drawLabels();
    changed();
  } }, "Only source");

  const shows = (label) => (only.size ? only.has(label) : !hidden.has(label));

  function drawLabels() {
    const there = LABELS.filter((label) => counts[label] || hidden.has(label) || only.has(label));
    const focused = document.activeElement?.dataset?.label;
    fill(labels, there.map((label) => h(`button.label-chip.${label}`, { type: "button", "aria-pressed": String(shows(label)), dataset: { label }, title: shows(label) ? `Hide ${label}` : `Show ${label}`, onclick: () => toggle(label) },
      label, counts[label] ? h("small", {}, number(counts[label])) : null)));
    source.setAttribute("aria-pressed", String(only.size === 1 && only.has("source")));
    if (focused) labels.querySelector(`[data-label="${focused}"]`)?.focus();
  }

  function toggle(label) {
    if (only.size) {
      if (only.has(label)) only.delete(label);
      else only.add(label);
    } else if (hidden.has(label)) hidden.delete(label);
    else hidden.add(label);
    drawLabels();
    changed();
  }

  drawLabels();
  const element = h("div.filter-row", {}, labels, source, language, path);
  return {
    modes,
    element,
    values: () => ({
      mode: modes.querySelector("input:checked")?.value || "",
      only: [...only],
      no: only.size ? [] : [...hidden],
      lang: language.value ? [language.value] : [],
      path: path.value.split(/\s+/).filter(Boolean),
    }),
    offer(languages, found) {
      counts = found;
      drawLabels();
      const kept = language.value;
      const names = Object.keys(languages).filter(Boolean);
      if (kept && !names.includes(kept)) names.push(kept);
      fill(language, h("option", { value: "" }, "Any language"), names.map((name) => h("option", { value: name, selected: name === kept }, name)));
    },
    narrow: () => Boolean(only.size || hidden.size || language.value || path.value.trim()),
    clear() {
      only = new Set();
      hidden.clear();
      language.value = "";
      path.value = "";
      drawLabels();
    },
  };
}

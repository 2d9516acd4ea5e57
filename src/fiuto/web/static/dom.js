// Elements from data. Text goes in as text nodes only: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element; `props` are attributes, `on…` listeners, `dataset`; children are nodes or text. */
export function h(tag, props = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

const ICONS = {
  copy: "M5 5V3h8v8h-2M3 5h8v8H3z",
  editor: "M9 3h4v4M13 3 7.500 8.500M11 9.500V13H3V5h3.500",
  check: "M3 8.500 6.500 12 13 4.500",
  close: "M4 4l8 8M12 4l-8 8",
};

/** A small drawing; the element around it carries the name. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Replace what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(3).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

let fading = 0;

/** Say something in passing. */
export function toast(text) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(fading);
  fading = setTimeout(() => place.classList.remove("shown"), 2200);
}

export const number = (n) => n.toLocaleString("en");

export const counted = (n, what, many = `${what}s`) => `${number(n)} ${n === 1 ? what : many}`;

/** Bytes, as the terminal says them. */
export function size(bytes) {
  let value = bytes;
  for (const unit of ["B", "kB", "MB"]) {
    if (value < 1000) return unit === "B" ? `${value} B` : `${value.toFixed(1)} ${unit}`;
    value /= 1000;
  }
  return `${value.toFixed(1)} GB`;
}

const UNITS = [[60, "second", 1], [3600, "minute", 60], [86400, "hour", 3600], [Infinity, "day", 86400]];

/** How long ago, in words. */
export function ago(seconds) {
  const passed = Math.max(0, Date.now() / 1000 - seconds);
  if (passed < 10) return "just now";
  const [, unit, each] = UNITS.find(([bound]) => passed < bound);
  return `${counted(Math.floor(passed / each), unit)} ago`;
}

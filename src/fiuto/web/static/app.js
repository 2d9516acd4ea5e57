// Boots the page and moves between its views without loading it anew.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { note } from "./jobs.js";
import { openHelp, openPrefs, setServerEditor } from "./prefs.js";
import * as evaluation from "./evaluation.js";
import * as file from "./file.js";
import * as indexes from "./indexes.js";
import * as search from "./search.js";

const VIEWS = { "/": indexes, "/search": search, "/file": file, "/eval": evaluation };
const main = document.getElementById("main");
let leave = null;
let current = null;

/** Show the view of the address as it is. */
async function show({ restored = false } = {}) {
  const url = new URL(location.href);
  const view = VIEWS[url.pathname] || indexes;
  leave?.();
  leave = null;
  current = view;
  for (const link of document.querySelectorAll(".top nav a")) {
    const here = new URL(link.href).pathname === url.pathname || (url.pathname === "/file" && link.pathname === "/search");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${view.title} · fiuto`;
  fill(main);
  main.dataset.view = view.title;
  try {
    const gone = await view.show(main, url, { restored, go });
    if (current === view) leave = gone || null;
    else gone?.();
  } catch (error) {
    if (error.name === "AbortError") return;
    fill(main, h("h1", {}, "That did not work"), h("p.note.bad", { role: "alert" }, error.message), h("p", {}, h("a", { href: "/" }, "To the indexes")));
  }
}

/** Move to another address of this page. */
export function go(href) {
  history.pushState({ from: location.pathname }, "", href);
  scrollTo(0, 0);
  show();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || !(url.pathname in VIEWS) || link.hasAttribute("download")) return;
  if (url.pathname === location.pathname && url.search === location.search && url.hash) return;
  event.preventDefault();
  go(url.href);
});

addEventListener("popstate", () => show({ restored: true }));
document.getElementById("help-button").addEventListener("click", openHelp);
document.getElementById("prefs-button").addEventListener("click", openPrefs);

document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = event.target.closest("input, select, textarea, [contenteditable]");
  if (typing && event.key === "Escape") event.target.blur();
  if (!typing && event.key === "?") {
    event.preventDefault();
    openHelp();
    return;
  }
  if (!typing && event.key === "/" && current !== search) {
    event.preventDefault();
    go("/search");
    return;
  }
  current?.key?.(event, typing);
});

get("/api/indexes").then((data) => {
  setServerEditor(data.editor);
  data.jobs.forEach(note);
}, () => {}).finally(() => show({ restored: true }));

// What this browser remembers: theme and editor.

import { fill, h, toast } from "./dom.js";

const KEY = "fiuto";

export const EDITORS = {
  "VS Code": "vscode://file{path}:{line}",
  VSCodium: "vscodium://file{path}:{line}",
  Cursor: "cursor://file{path}:{line}",
  Zed: "zed://file{path}:{line}",
  "JetBrains IDE": "idea://open?file={path}&line={line}",
  "Sublime Text": "subl://open?url=file://{path}&line={line}",
  TextMate: "txmt://open?url=file://{path}&line={line}",
};

const REFUSED = ["javascript", "data", "vbscript", "blob", "file", "http", "https"];

let serverEditor = "";

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) || "{}");
  } catch {
    return {};
  }
}

function keep(changes) {
  localStorage.setItem(KEY, JSON.stringify({ ...read(), ...changes }));
}

/** Whether an address can open an editor, and nothing else. */
export function opensEditor(template) {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(template);
  return Boolean(scheme) && !REFUSED.includes(scheme[1].toLowerCase()) && template.includes("{path}");
}

/** What the server was started with. */
export function setServerEditor(template) {
  serverEditor = opensEditor(template) ? template : "";
}

export function editorTemplate() {
  const own = read().editor;
  return own && opensEditor(own) ? own : serverEditor || EDITORS["VS Code"];
}

/** Where a file opens in the editor of choice. */
export function editorAddress(root, path, line) {
  const whole = `${root.replace(/\/$/, "")}/${path}`.split("/").map(encodeURIComponent).join("/");
  return editorTemplate().replaceAll("{path}", whole).replaceAll("{line}", String(line));
}

function applyTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** The settings, in a dialog. */
export function openPrefs() {
  const prefs = read();
  const dialog = h("dialog", { "aria-labelledby": "prefs-title" });
  const custom = h("input", { id: "editor-address", value: editorTemplate(), spellcheck: "false", autocomplete: "off", "aria-describedby": "editor-note" });
  const known = Object.entries(EDITORS).find(([, address]) => address === editorTemplate());
  const choice = h("select", { id: "editor", onchange: () => { if (choice.value) custom.value = EDITORS[choice.value]; } },
    Object.keys(EDITORS).map((name) => h("option", { value: name, selected: known?.[0] === name }, name)),
    h("option", { value: "", selected: !known }, "Another"));
  const themes = [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]].map(([value, name]) =>
    h("label.radio", {}, h("input", { type: "radio", name: "theme", value, checked: (prefs.theme || "auto") === value }), name));
  const note = h("p.soft", { id: "editor-note" }, "{path} is the file, {line} the line.");
  const form = h("form", { method: "dialog", onsubmit: (event) => {
    if (event.submitter?.value !== "keep") return;
    if (!opensEditor(custom.value.trim())) {
      event.preventDefault();
      fill(note, "That opens no editor: it needs a scheme of one, and {path}.");
      note.classList.add("bad");
      custom.focus();
      return;
    }
    const theme = new FormData(form).get("theme");
    keep({ theme, editor: custom.value.trim() });
    applyTheme(theme);
    toast("Settings kept");
    window.dispatchEvent(new CustomEvent("fiuto:prefs"));
  } },
    h("h2", { id: "prefs-title" }, "Settings"),
    h("fieldset", {}, h("legend", {}, "Theme"), themes),
    h("label", { for: "editor" }, "Editor"), choice,
    h("label", { for: "editor-address" }, "Address that opens a file"), custom, note,
    h("div.buttons", {}, h("button", { value: "cancel", formnovalidate: true }, "Cancel"), h("button.primary", { value: "keep" }, "Keep")));
  dialog.append(form);
  show(dialog);
}

const KEYS = [
  ["/", "go to the question"], ["j  k", "next, previous hit"], ["Enter", "open the hit"],
  ["e", "open it in the editor"], ["c", "copy path:line"], ["w", "why it is here"],
  ["x", "show all its lines"], ["s", "lists side by side"], ["Esc", "leave a field; back from a file"], ["?", "this list"],
];

/** The keys, in a dialog. */
export function openHelp() {
  const dialog = h("dialog", { "aria-labelledby": "help-title" },
    h("form", { method: "dialog" },
      h("h2", { id: "help-title" }, "Keys"),
      h("dl.keys", {}, KEYS.map(([key, what]) => [h("dt", {}, key.split("  ").map((k) => h("kbd", {}, k))), h("dd", {}, what)])),
      h("div.buttons", {}, h("button.primary", { autofocus: true }, "Close"))));
  show(dialog);
}

function show(dialog) {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

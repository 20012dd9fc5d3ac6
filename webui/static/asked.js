// Opens the dialogs that a handler asks for (webui/dialogs.py), and gives it what was answered.

import { make } from "./common.js";
import { openDialog } from "./dialog.js";

let open = null;

function closeOpen() {
  open?.close();
  open = null;
}

function fieldOf(name, { name: field, label, words }) {
  const id = `${name}-${field}`;
  return [make("label", { htmlFor: id, textContent: label }), make("textarea", { id, className: "sf-input", name: field, rows: 3, value: words })];
}

document.addEventListener("sf:asked", ({ detail }) => {
  closeOpen();
  if (!detail.told) return;
  const { name, about, title, quote, fields, choices } = JSON.parse(detail.told);
  const answer = (verb) => (dialog) => {
    const written = Object.fromEntries([...dialog.querySelectorAll("textarea")].map((it) => [it.name, it.value]));
    detail.answer({ act: verb, id: about, ...written });
  };
  open = openDialog({
    id: `${name}-question`,
    title,
    body: [quote && make("blockquote", { textContent: quote }), ...fields.flatMap((it) => fieldOf(name, it))],
    actions: choices.map(({ verb, label, kind }) => ({
      id: verb && `${name}-${verb}`, label, kind, value: verb ? answer(verb) : null,
    })),
  });
});

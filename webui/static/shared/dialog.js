// The one place where dialogs are made: the focus moves in, Esc closes, and it goes back.

import { make, say } from "./common.js";

let counter = 0;

/**
 * Open a dialog.
 *   title: its heading, which names it.
 *   body: elements, or words for one paragraph.
 *   actions: [{label, value, kind, id, name}] with kind "primary", "danger" or none; the name, which
 *     begins with the label, says more to whoever hears the button alone. A value that is a
 *     function is called with the dialog, and the dialog stays open where that gives false. The
 *     first one is where the focus goes when there is no field; with none there is one to close.
 *   id: of the element, where something looks for it.
 * Gives {chosen, close}: a promise of the chosen value, null where it was only closed, and a way
 * to close it from outside.
 */
export function openDialog({ title, body = [], actions = [], id = "" }) {
  const back = document.activeElement;
  const heading = `sf-dialog-${(counter += 1)}`;
  const parts = typeof body === "string" ? [make("p", { textContent: body })] : body;
  const shown = actions.length ? actions : [{ label: say("web_page.close"), value: null }];
  let result = null;
  const choose = async (value) => {
    const given = typeof value === "function" ? await value(dialog) : value;
    if (given === false) return;
    result = given ?? null;
    dialog.close();
  };
  const dialog = make(
    "dialog",
    { className: "sf-dialog", id, "aria-labelledby": heading, "aria-describedby": `${heading}-body` },
    make("h2", { id: heading, textContent: title }),
    make("div", { className: "sf-dialog-body", id: `${heading}-body` }, parts),
    make("div", { className: "sf-dialog-acts" }, shown.map((it) => actionButton(it, choose))),
  );
  const chosen = new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (back instanceof HTMLElement && back.isConnected) back.focus();
      resolve(result);
    });
  });
  const hasFields = Boolean(dialog.querySelector("input, textarea, select"));
  // A slip beside the dialog must not throw away what was written.
  dialog.addEventListener("click", (event) => event.target === dialog && !hasFields && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  (dialog.querySelector("[autofocus], input, textarea, select") ?? dialog.querySelector(".sf-dialog-acts button")).focus();
  return { chosen, close: () => dialog.close() };
}

function actionButton({ label, value, kind = "", id = "", name = null }, choose) {
  const look = kind === "danger" ? "sf-danger sf-primary" : kind && `sf-${kind}`;
  return make("button", { type: "button", id, "aria-label": name, className: `sf-button ${look}`, textContent: label, onclick: () => choose(value) });
}

/** Ask before something cannot be undone; gives true where it was confirmed. The focus is on "no". */
export async function confirm({ title, body, yes, no, name = null, id = "" }) {
  const actions = [
    { label: no, value: null },
    { label: yes, value: true, kind: "danger", name },
  ];
  return (await openDialog({ title, body, actions, id }).chosen) === true;
}

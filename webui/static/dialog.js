// The one place where dialogs are made: the focus moves in, Esc closes, and it goes back.

import { make, say } from "./common.js";

let counter = 0;

/**
 * Open a dialog; resolves with the chosen action's value, or null where it was only closed.
 *   title: its heading, which names it.
 *   body: elements, or words for one paragraph.
 *   actions: [{label, value, kind}] with kind "primary", "danger" or none; a value that is a
 *     function is called with the dialog, and the dialog stays open where that gives false.
 *   id: of the element, where something looks for it.
 */
export function openDialog({ title, body = [], actions = [], id = "" }) {
  const back = document.activeElement;
  const heading = `sf-dialog-${(counter += 1)}`;
  const parts = typeof body === "string" ? [make("p", { textContent: body })] : body;
  return new Promise((resolve) => {
    let chosen = null;
    const choose = async (value) => {
      const result = typeof value === "function" ? await value(dialog) : value;
      if (result === false) return;
      chosen = result ?? null;
      dialog.close();
    };
    const dialog = make(
      "dialog",
      { className: "sf-dialog", id, "aria-labelledby": heading },
      make("h2", { id: heading, textContent: title }),
      make("div", { className: "sf-dialog-body" }, parts),
      make(
        "div",
        { className: "sf-dialog-acts" },
        actions.map(({ label, value, kind = "" }) =>
          make("button", {
            type: "button",
            className: `sf-button ${kind === "danger" ? "sf-danger sf-primary" : kind && `sf-${kind}`}`,
            textContent: label,
            onclick: () => choose(value),
          }),
        ),
        actions.length === 0 &&
          make("button", { type: "button", className: "sf-button", textContent: say("web_page.close"), onclick: () => choose(null) }),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (back instanceof HTMLElement && back.isConnected) back.focus();
      resolve(chosen);
    });
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    dialog.showModal();
    const field = dialog.querySelector("[autofocus], input, textarea");
    (field ?? dialog.querySelector(".sf-dialog-acts button"))?.focus();
  });
}

/** Ask before something cannot be undone; gives true where it was confirmed. The focus is on "no". */
export async function confirm({ title, body, yes, no, id = "" }) {
  const actions = [
    { label: no, value: null },
    { label: yes, value: true, kind: "danger" },
  ];
  return (await openDialog({ title, body, actions, id })) === true;
}

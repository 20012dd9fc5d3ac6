// Whose Gradio's panels are: what is pressed in them before they are the person's waits until then.
//
// A panel acts for the name that Gradio was last told. Pressed before that, "Run my night" would
// run it for nobody, or for whoever used the tab before.

import { whoami } from "../shared/common.js";

const root = document.documentElement;
const CONTROLS = ".sf-panel :is(button, input, label)";
/** What a script of the page drew into a panel knows by itself who uses it. */
const OWN = ".html-container";
/** What was pressed too early, in order. */
const early = new Set();

export const isSettled = () => root.dataset.settled === whoami();

document.addEventListener("click", (event) => {
  const control = event.target.closest?.(CONTROLS);
  if (!control || control.closest(OWN) || isSettled()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  early.add(control);
}, true);

document.addEventListener("sf:person", () => early.clear());
document.addEventListener("sf:settled", ({ detail }) => {
  root.dataset.settled = detail.person;
  if (!isSettled()) return;
  const pressed = [...early];
  early.clear();
  for (const it of pressed) if (it.isConnected) it.click();
});

// Esc, where no dialog, search or form of its own takes it: it stops the reply that is being said,
// or closes what lies over the talk on a phone.

import { here } from "../shared/addresses.js";

const HAVE_THEIR_OWN = "dialog, [role=search], .talk-reword";

document.addEventListener("keydown", (event) => {
  // An input method that composes a word ends that word with Esc.
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  if (event.target.closest?.(HAVE_THEIR_OWN) || here().panel !== "chat") return;
  const beside = document.getElementById("talk-beside");
  if (beside?.getAttribute("aria-expanded") === "true") {
    beside.click();
    beside.focus();
    return;
  }
  const stop = document.getElementById("stop");
  if (stop && !stop.disabled) stop.click();
});

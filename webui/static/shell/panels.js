// The scripts of the panels beside the talk.

import "../cards/action_menu.js";
import { whoami } from "../shared/common.js";
import "../fading/curves.js";
import "../memories/memories.js";
import "../cards/memory_acts.js";
import "../portrait/portrait.js";

// Whose Gradio's panels are now: until then they would do for nobody what is asked of them.
document.addEventListener("sf:settled", () => {
  document.documentElement.dataset.settled = whoami();
});

// The scripts of the panels beside the talk.

import "./action_menu.js";
import { whoami } from "./common.js";
import "./curves.js";
import "./memories.js";
import "./memory_acts.js";
import "./portrait.js";

// Whose Gradio's panels are now: until then they would do for nobody what is asked of them.
document.addEventListener("sf:settled", () => {
  document.documentElement.dataset.settled = whoami();
});

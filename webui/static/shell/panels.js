// The scripts of the panels beside the talk.

import "../cards/action_menu.js";
import "../fading/curves.js";
import "../memories/carrying.js";
import "../memories/memories.js";
import "../cards/memory_acts.js";
import "../portrait/portrait.js";

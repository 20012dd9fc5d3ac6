// The portrait: asked for when it is shown, and again when a memory changed.

import { here } from "../shared/addresses.js";
import { ask, data, say, whoami } from "../shared/common.js";

let round = 0;

async function show() {
  const place = document.getElementById("portrait");
  if (!place || here().panel !== "portrait" || !whoami()) return;
  const own = (round += 1);
  const focused = document.activeElement?.closest?.("[data-memory]")?.dataset.memory;
  const open = new Set([...place.querySelectorAll("details[open]")].map((it) => it.dataset.part));
  try {
    const { html } = await ask("./memories/portrait", { query: { person: whoami(), companion: data.companion } });
    if (own !== round) return;
    place.innerHTML = html;
    for (const it of place.querySelectorAll("details")) it.open = open.has(it.dataset.part);
    if (focused) place.querySelector(`[data-memory="${focused}"] .sf-menu-button`)?.focus();
  } catch (error) {
    if (own === round) place.textContent = error.told?.message ?? say("web_panels.unreachable");
  }
}

/** Nothing of one person stays for the next, nor of one language for the other. */
function clear() {
  round += 1;
  document.getElementById("portrait")?.replaceChildren();
}

document.addEventListener("sf:person", clear);
document.addEventListener("sf:language", clear);
document.addEventListener("sf:panel", ({ detail }) => detail.panel === "portrait" && show());
document.addEventListener("sf:settled", show);
document.addEventListener("sf:place", show);
document.addEventListener("sf:memories", show);
show();

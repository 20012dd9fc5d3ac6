// The portrait: asked for when it is shown, and again when a memory changed.
//
// The first time it is shown at once, without what is read from the index, and then whole. Drawn
// anew it keeps the place of whoever reads: what is open, what has the focus, how far it is scrolled.

import { here } from "../shared/addresses.js";
import { ask, data, say, whoami } from "../shared/common.js";

let round = 0;
let drawn = "";

const html = async (ahead) =>
  (await ask("./memories/portrait", { query: { person: whoami(), companion: data.companion, ahead } })).html;

async function show() {
  const place = document.getElementById("portrait");
  if (!place || here().panel !== "portrait" || !whoami()) return;
  const own = (round += 1);
  try {
    for (const ahead of place.childElementCount ? [true] : [false, true]) {
      const told = await html(ahead);
      if (own !== round) return;
      draw(place, told);
    }
  } catch (error) {
    if (own === round) place.textContent = error.told?.message ?? say("web_panels.unreachable");
  }
}

function draw(place, told) {
  if (told === drawn && place.childElementCount) return;
  drawn = told;
  const open = new Set([...place.querySelectorAll("details[open]")].map((it) => it.dataset.part));
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const memory = focused?.closest("[data-memory]")?.dataset.memory;
  const scroller = place.closest(".sf-panel");
  const { scrollTop } = scroller;
  place.innerHTML = told;
  for (const it of place.querySelectorAll("details")) it.open = open.has(it.dataset.part);
  if (focused) same(place, focused, memory)?.focus({ preventScroll: true });
  scroller.scrollTop = scrollTop;
}

/** What stands for an element after its part was drawn anew: of its memory, else with its words. */
function same(place, element, memory) {
  const others = memory
    ? place.querySelectorAll(`[data-memory="${memory}"] ${element.localName}`)
    : place.querySelectorAll(element.localName);
  return [...others].find((it) => it.textContent === element.textContent) ?? others[0];
}

/** Nothing of one person stays for the next, nor of one language for the other. */
function clear() {
  round += 1;
  drawn = "";
  document.getElementById("portrait")?.replaceChildren();
}

document.addEventListener("sf:person", clear);
document.addEventListener("sf:language", clear);
document.addEventListener("sf:panel", ({ detail }) => detail.panel === "portrait" && show());
document.addEventListener("sf:settled", show);
document.addEventListener("sf:place", show);
document.addEventListener("sf:memories", show);
show();

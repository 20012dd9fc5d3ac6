// The menu behind the button of a memory, by pointer and by keys: arrows and Home and End go
// through it, a letter goes to what begins with it, Esc and Tab close it. What is chosen is told
// to the document as sf:act, with the verb, the id, and the button to come back to.

import { announce } from "../shared/common.js";

const buttonOf = (menu) => menu.parentElement.querySelector(".sf-menu-button");
const itemsOf = (menu) => [...menu.querySelectorAll("[role=menuitem]")];
const drawn = new WeakMap(); // of a place, the HTML that stands in it
let open = null;

function close({ back = false } = {}) {
  if (!open) return;
  const menu = open;
  open = null;
  menu.hidden = true;
  buttonOf(menu).setAttribute("aria-expanded", "false");
  if (back) buttonOf(menu).focus();
}

function show(button, last = false) {
  close();
  const menu = button.parentElement.querySelector("[role=menu]");
  open = menu;
  menu.hidden = false;
  button.setAttribute("aria-expanded", "true");
  const edge = button.closest(".sf-panel")?.getBoundingClientRect().bottom ?? innerHeight;
  const room = edge - button.getBoundingClientRect().bottom;
  menu.classList.toggle("sf-above", room < menu.offsetHeight + 8);
  itemsOf(menu).at(last ? -1 : 0).focus();
}

function choose(item) {
  const button = buttonOf(item.closest("[role=menu]"));
  close({ back: true });
  announce("sf:act", { act: item.dataset.act, id: item.dataset.id, button });
}

/**
 * Draws a list of memories anew, which may happen at any time: what is the same stays untouched, a
 * menu that is open stays open, what is unfolded unfolded, and the keys stay where they were.
 */
export function redraw(place, html) {
  if (drawn.get(place) === html) return;
  drawn.set(place, html);
  const menu = open && place.contains(open) ? open : null;
  const held = document.activeElement, { act } = held.dataset;
  const isHeld = place.contains(held) && held.matches(".sf-menu-button, [role=menuitem]");
  const id = (menu ?? (isHeld ? held : null))?.closest("[data-memory]")?.dataset.memory;
  const idOf = (it) => it.closest("[data-memory]")?.dataset.memory;
  const unfolded = new Set([...place.querySelectorAll("details[open]")].map(idOf));
  place.innerHTML = html;
  for (const it of place.querySelectorAll("details")) it.open = unfolded.has(idOf(it));
  const button = id && place.querySelector(`[data-memory="${CSS.escape(id)}"] .sf-menu-button`);
  if (menu && button) {
    show(button);
    if (isHeld) itemsOf(open).find((it) => it.dataset.act === act)?.focus();
    else held.focus();
  } else if (menu) close();
  else if (button) button.focus({ preventScroll: true });
}

function move(event) {
  const items = itemsOf(open), at = items.indexOf(document.activeElement);
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: -1 };
  if (event.key in steps) {
    event.preventDefault();
    items.at(event.key === "End" ? -1 : steps[event.key] % items.length).focus();
  } else if (event.key.length === 1 && event.key !== " ") {
    const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
    after.find((it) => it.textContent.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.(".sf-menu-button");
  const item = event.target.closest?.(".sf-menu [role=menuitem]");
  if (item) choose(item);
  else if (button) button.getAttribute("aria-expanded") === "true" ? close() : show(button);
  else close();
});
document.addEventListener("keydown", (event) => {
  const button = event.target.closest?.(".sf-menu-button");
  if (button && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    show(button, event.key === "ArrowUp");
  } else if (open?.contains(event.target)) {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close({ back: true });
    } else if (event.key === "Tab") close({ back: true });
    else move(event);
  }
});

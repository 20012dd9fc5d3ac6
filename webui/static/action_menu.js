// The menu behind the button of a memory, by pointer and by keys: arrows and Home and End go
// through it, a letter goes to what begins with it, Esc and Tab close it. What is chosen is told
// to the document as sf:act, with the verb, the id, and the button to come back to.

import { announce } from "./common.js";

const buttonOf = (menu) => menu.parentElement.querySelector(".sf-menu-button");
const itemsOf = (menu) => [...menu.querySelectorAll("[role=menuitem]")];
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

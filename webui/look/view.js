// A panel's view: HTML from the server, what is clicked in it, its dialog and its notices.
import { button, fill, make, parse } from "./common.js";

const STAYS = 8000;

export function start({ element, trigger, watch, props }, panel, isMain) {
  const view = element.querySelector(".sf-view");
  const status = element.querySelector(".sf-status");
  const parts = element.closest(".sf-panel");
  const parameters = () => Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] ?? ""));
  const stops = () => [...view.querySelectorAll("a, button, input, summary, textarea")].filter((it) => it.checkVisibility());
  const waiting = []; // events to send one after the other: Gradio does not tell whose an answer is
  let asked = null; // the one that is not answered yet
  let [at, fading, late, back] = [0, 0, 0, null];

  const show = (told = {}) => isMain && document.documentElement.dataset.panel === panel && tell("select", told);

  function tell(name, told, form) {
    const isSame = (it) => it?.name === name && JSON.stringify(it.told) === JSON.stringify(told);
    const isTwice = waiting.some(isSame) || (name !== "select" && isSame(asked)); // as by a double click
    if (!isTwice) waiting.push({ name, told, form });
    if (!asked) next();
  }

  function next() {
    clearTimeout(late);
    asked = waiting.shift();
    if (!asked) return;
    // Gradio loses an answer that is asked for while it closes its stream.
    const isDone = asked.name !== "select"; // all but its answer
    late = setTimeout(() => (show(isDone ? { changed: true } : asked.told), next()), isDone ? 5 * STAYS : STAYS);
    const days = [...view.querySelectorAll("[data-day]")].map((it) => it.dataset.day);
    trigger(asked.name, { ...parameters(), ...asked.told, since: days[0] ?? "", until: days.at(-1) ?? "" });
  }

  // What Gradio's parts do not tell: a slider's name in the page's language, and whether an accordion is open.
  function describe() {
    parts.querySelector("[type=range]")?.removeAttribute("aria-label");
    for (const it of parts.querySelectorAll(".label-wrap")) it.ariaExpanded = it.classList.contains("open");
  }

  function draw() {
    const value = props.value;
    describe();
    if (!value || value.at === at) return; // what is done step by step ends with its last step
    at = value.at;
    const held = element.querySelector("dialog") ? back : document.activeElement;
    const place = stops().indexOf(held);
    if (value.html !== null) {
      fill(view, parse(value.html));
      asked?.form?.reset(); // to what the server drew
      asked?.form?.closest("dialog")?.close();
    }
    if (value.sheet && !element.querySelector("dialog")) open(value.sheet);
    if (value.status) notice(value.status, value.undo);
    next();
    // Where what was in focus is gone, what now stands in its place is, else the view.
    const gone = place >= 0 && !held.checkVisibility();
    if (gone) (back = stops()[Math.min(place, stops().length - 1)])?.focus();
    const goal = value.goto ? document.getElementById(value.goto) : gone && !stops().length && view;
    if (goal) {
      goal.scrollIntoView({ block: "start" });
      goal.tabIndex = -1;
      goal.focus({ preventScroll: true });
    }
  }

  function notice(words, undo) {
    clearTimeout(fading);
    status.textContent = words;
    if (undo) status.append(button(undo.label, () => tell("click", { act: undo.act, id: undo.id }), { className: "sf-link", "aria-keyshortcuts": "Control+Z Meta+Z" }));
    fading = setTimeout(() => status.replaceChildren(), undo ? 2 * STAYS : STAYS);
  }

  function open(html) {
    back = document.activeElement;
    const made = make("dialog", { className: "sf-sheet", innerHTML: html, "aria-labelledby": "sf-sheet-title" });
    made.addEventListener("close", () => {
      element.append(status);
      made.remove();
      if (back?.isConnected) back.focus();
    });
    made.append(status); // else it stands below, where nobody hears of it
    element.append(made);
    made.showModal();
  }

  element.addEventListener("click", (event) => {
    const act = event.target.closest?.("[data-act]:not(form)");
    if (act) tell("click", { act: act.dataset.act, id: act.dataset.id ?? "" });
  });
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    if (event.submitter?.value === "cancel") return form.closest("dialog").close();
    const fields = Object.fromEntries(new FormData(form));
    tell("submit", { act: form.dataset.act, id: form.dataset.id ?? "", fields }, form);
  });
  document.addEventListener("keydown", ({ key, ctrlKey, metaKey, target }) => {
    if (key === "z" && (ctrlKey || metaKey) && !target.matches("input, textarea") && status.checkVisibility()) status.querySelector("button")?.click();
  });
  parts.addEventListener("click", () => setTimeout(describe));
  parts.addEventListener("input", ({ target }) => { // in a search or a slider
    if (element.closest(".block").previousElementSibling?.contains(target)) setTimeout(show, 0, { day: "" });
  });
  document.addEventListener("sf:panel", ({ detail }) => (detail === panel ? show() : element.querySelector("dialog")?.close()));
  document.addEventListener("sf:changed", () => show({ changed: true }));
  document.addEventListener("sf:failed", next);
  watch("value", draw);
  draw();
  if (!props.value) show();
}

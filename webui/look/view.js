// A panel's view: HTML from the server, what is clicked in it, its dialog and its notices.
import { button, fill, make, parse } from "./common.js";

const STAYS = 8000;

export function start({ element, trigger, watch, props }, panel, isMain) {
  const view = element.querySelector(".sf-view");
  const status = element.querySelector(".sf-status");
  const parts = element.closest(".sf-panel");
  const parameters = () => Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] ?? ""));
  const stops = () => [...view.querySelectorAll("a, button, input, summary, textarea")].filter((it) => it.checkVisibility());
  const tell = (name, told) => {
    const days = [...view.querySelectorAll("[data-day]")].map((it) => it.dataset.day);
    isAwaited ||= name !== "select";
    trigger(name, { ...parameters(), ...told, since: days[0] ?? "", until: days.at(-1) ?? "" });
  };
  let fading = 0;
  let at = 0;
  let back = null;
  let sent = null;
  let isAwaited = false; // the answer to what was done here, which draws the view anew itself
  let isStale = false; // the memory has changed meanwhile, or while a dialog is open

  const show = (told = {}) => isMain && document.documentElement.dataset.panel === panel && tell("select", told);

  function change() {
    isStale = isAwaited || Boolean(element.querySelector("dialog"));
    if (!isStale) show({ changed: true });
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
      sent?.reset(); // to what the server drew
      sent = null;
    }
    if (value.status) notice(value.status, value.undo);
    dialog(value.sheet);
    isAwaited = false;
    isStale &&= value.html === null;
    if (isStale) change();
    // Where what was in focus is gone, what now stands in its place is, else the view.
    const gone = place >= 0 && !held.checkVisibility();
    if (gone) stops()[Math.min(place, stops().length - 1)]?.focus();
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

  function dialog(html) {
    const there = element.querySelector("dialog");
    if (!html) return there?.close();
    if (!there) back = document.activeElement;
    there?.remove();
    const made = make("dialog", { className: "sf-sheet", innerHTML: html, "aria-labelledby": "sf-sheet-title" });
    made.addEventListener("close", () => {
      made.remove();
      if (isStale) change();
      if (back?.isConnected) back.focus();
    });
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
    if (view.contains(form)) sent = form;
    tell("submit", { act: form.dataset.act, id: form.dataset.id ?? "", fields });
  });
  document.addEventListener("keydown", ({ key, ctrlKey, metaKey, target }) => {
    if (key === "z" && (ctrlKey || metaKey) && !target.matches("input, textarea")) status.querySelector("button")?.click();
  });
  parts.addEventListener("click", () => setTimeout(describe));
  document.addEventListener("sf:panel", ({ detail }) => detail === panel && show());
  document.addEventListener("sf:changed", change);
  watch("value", draw);
  draw();
  if (!props.value) show();
}

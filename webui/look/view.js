// A panel's view: HTML from the server, what is clicked in it, its dialog and its notices.
const STAYS = 8000;

export function start({ element, trigger, watch, props }, panel, isMain) {
  const view = element.querySelector(".sf-view");
  const status = element.querySelector(".sf-status");
  const isShown = () => document.documentElement.dataset.panel === panel;
  const until = () => [...view.querySelectorAll("[data-day]")].at(-1)?.dataset.day ?? "";
  const tell = (name, told) => trigger(name, { ...told, until: until() });
  let fading = 0;
  let drawn = null;
  let at = 0;
  let back = null;

  function show(parameters = {}) {
    if (isMain && isShown()) tell("select", parameters);
  }

  function draw() {
    const value = props.value;
    if (!value || value.at === at) return; // what is done step by step ends with its last step
    at = value.at;
    if (value.html !== null) redraw(value.html);
    if (value.append) {
      view.querySelector(":scope > [data-act=more]")?.remove();
      view.insertAdjacentHTML("beforeend", value.append);
      drawn = null;
    }
    if (value.status) notice(value.status, value.undo);
    dialog(value.sheet);
    const goal = value.goto && document.getElementById(value.goto);
    if (goal) {
      goal.scrollIntoView({ block: "start" });
      goal.tabIndex = -1;
      goal.focus({ preventScroll: true });
    }
  }

  // What is the same is left alone; what is open stays open, and the keyboard where it was.
  function redraw(html) {
    if (html === drawn) return;
    drawn = html;
    const keyOf = (it) => [it.className, it.closest("[data-memory]")?.dataset.memory ?? it.dataset.part].join();
    const open = new Set([...view.querySelectorAll("details[open]")].map(keyOf));
    const held = view.contains(document.activeElement) ? document.activeElement.closest("[data-memory]")?.dataset.memory : null;
    view.innerHTML = html;
    for (const it of view.querySelectorAll("details")) if (open.has(keyOf(it))) it.open = true;
    if (held) view.querySelector(`[data-memory="${CSS.escape(held)}"] .sf-menu`)?.focus({ preventScroll: true });
  }

  function notice(words, undo) {
    clearTimeout(fading);
    status.textContent = words;
    if (undo) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = undo.label;
      button.addEventListener("click", () => tell("click", { act: undo.act, id: undo.id }));
      status.append(button);
    }
    fading = setTimeout(() => status.replaceChildren(), undo ? 2 * STAYS : STAYS);
  }

  function dialog(html) {
    const there = element.querySelector("dialog");
    if (!html) return there?.close();
    if (!there) back = document.activeElement;
    there?.remove();
    const made = document.createElement("dialog");
    made.className = "sf-sheet";
    made.innerHTML = html;
    made.setAttribute("aria-labelledby", "sf-sheet-title");
    made.addEventListener("close", () => {
      made.remove();
      if (back?.isConnected) back.focus();
    });
    element.append(made);
    made.showModal();
  }

  element.addEventListener("click", (event) => {
    const act = event.target.closest?.("[data-act]:not(form, input)");
    if (act) tell("click", { act: act.dataset.act, id: act.dataset.id ?? "" });
  });
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    if (event.submitter?.value === "cancel") return form.closest("dialog").close();
    const fields = Object.fromEntries(new FormData(form));
    tell("submit", { act: form.dataset.act, id: form.dataset.id ?? "", fields });
  });
  element.addEventListener("change", (event) => {
    const act = event.target.closest?.("input[data-act]");
    if (act?.value) tell("click", { act: act.dataset.act, id: "", value: act.value });
  });
  document.addEventListener("sf:panel", ({ detail }) => detail.panel === panel && show(detail.parameters));
  document.addEventListener("sf:changed", () => show({ changed: true }));
  watch("value", draw);
  draw();
  if (!props.value) show(Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] ?? "")));
}

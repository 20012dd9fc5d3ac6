// A view: HTML from the server, its actions, its dialog and its status line.
import { checkLogIn, fill, make, pageData, parse, recall, remember } from "./common.js";

const STAYS = 8000;
const TYPING = 250;
const RETRY = 1500;

/** Starts a view in its element; without a panel it is only a dialog. */
export function start(element, name = element.id, panel = "") {
  const view = element.querySelector(".sf-view");
  const status = element.querySelector(".sf-status");
  const parameters = () => Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] ?? ""));
  const live = () => Object.assign({}, ...[...element.querySelectorAll("form[data-live]")].map((each) => Object.fromEntries(new FormData(each))));
  const stops = () => [...view.querySelectorAll("a, button, input, summary, textarea")].filter((each) => each.checkVisibility());
  const waiting = []; // events to send one after the other
  let asked = null; // the one that is not answered yet
  let [fading, typing, back, jumps, leaving] = [0, 0, null, false, null];

  const show = (told = {}) => panel && document.documentElement.dataset.panel === panel && tell("select", told);

  function tell(event, told, form) {
    const isSame = (each) => each?.event === event && JSON.stringify(each.told) === JSON.stringify(told);
    const isTwice = waiting.some(isSame) || (event !== "select" && isSame(asked)); // as by a double click
    if (!isTwice) waiting.push({ event, told, form });
    if (!asked) send();
  }

  async function send() {
    while ((asked = waiting.shift())) {
      element.dataset.busy = asked.event;
      try {
        await ask(asked);
      } catch (error) {
        if (error.name === "AbortError") continue; // its dialog was closed
        const { lost, refused } = pageData.texts.connection;
        draw({ html: null, sheet: "", status: asked.event === "select" ? lost : refused, goto: "" });
        setTimeout(() => show({ changed: true }), RETRY); // it may have been done
      }
    }
    delete element.dataset.busy;
    const first = jumps && element.querySelector("[data-first]");
    if (first) first.focus(), first.click();
    jumps = false;
  }

  async function ask({ event, told, form }) {
    const asked = { event, ...parameters(), ...told, live: live(), until: [...view.querySelectorAll("[data-day]")].at(-1)?.dataset.day ?? "", person: pageData.person };
    const body = new FormData();
    body.append("event", JSON.stringify(asked));
    for (const file of form?.querySelector("[type=file]")?.files ?? []) body.append("file", file);
    leaving = new AbortController();
    const answer = await fetch(`./views/${name}${location.search}`, { method: "POST", body, signal: leaving.signal });
    checkLogIn(answer);
    if (!answer.ok) throw answer.status;
    const lines = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let held = ""; ;) {
      const { done, value } = await lines.read();
      const parts = (held + (value ?? "")).split("\n");
      held = parts.pop();
      for (const each of parts) draw(JSON.parse(each));
      if (done) return;
    }
  }

  function draw(value) {
    const dialog = element.querySelector("dialog");
    const held = dialog ? back : document.activeElement;
    const place = stops().indexOf(held);
    if (value.html !== null) {
      fill(view, parse(value.html));
      forget(asked?.form);
      asked?.form?.reset(); // to what the server drew
      dialog?.close();
      if (!panel) document.dispatchEvent(new CustomEvent("sf:changed"));
    }
    if (value.sheet && (dialog || asked.event === "click")) status.replaceChildren(), open(value.sheet, dialog); // a closed dialog stays closed
    if (value.status) notice(value.status, value.undo);
    // If the focused element is gone, focus the one in its place, else the view.
    const gone = place >= 0 && !held.checkVisibility();
    if (gone) (back = stops()[Math.min(place, stops().length - 1)])?.focus();
    if (value.goto === "./") return location.reload();
    if (value.goto.startsWith("#") && value.goto !== location.hash) location.hash = value.goto;
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
    if (undo) status.append(make("button", { type: "button", textContent: undo.label, className: "sf-link", "aria-keyshortcuts": "Control+Z Meta+Z", onclick: () => tell("click", { act: undo.act, id: undo.id }) }));
    if (status.closest("dialog")) status.scrollIntoView({ block: "nearest" });
    fading = setTimeout(() => status.replaceChildren(), undo || words.length > 90 ? 2 * STAYS : STAYS);
  }

  function open(html, dialog) {
    const made = dialog ?? make("dialog", { className: "sf-sheet", "aria-labelledby": "sf-sheet-title" });
    if (dialog) return fill(dialog, make("p", {}, ...parse(html).childNodes, status));
    back = document.activeElement;
    made.append(parse(html), status); // outside the dialog it would be inert
    made.addEventListener("cancel", () => status.replaceChildren());
    made.addEventListener("close", () => {
      element.append(status);
      if (!panel) leaving.abort();
      made.remove();
      if (document.activeElement === document.body) back?.focus(); // else the next stop was already chosen
    });
    element.append(made);
    made.showModal();
    restore(made.querySelector("form"));
    made.querySelector("[autofocus]")?.focus();
  }

  // Input in a dialog survives a reload, until it is sent or the dialog is closed.
  const draftOf = (form) => `sf-sheet:${form.dataset.act}:${form.dataset.id}`;
  const drafted = (form) => [...form.elements].filter((each) => each.matches("textarea, input:is([type=text], :not([type]))"));
  function keep(form) { remember(sessionStorage, draftOf(form), Object.fromEntries(drafted(form).map((each) => [each.name, each.value]))); }
  function forget(form) { if (form) remember(sessionStorage, draftOf(form), null); }
  function restore(form) {
    const kept = form && recall(sessionStorage, draftOf(form));
    if (kept) for (const each of drafted(form)) each.value = kept[each.name] ?? each.value;
  }

  function search() {
    clearTimeout(typing);
    if (panel && location.hash.includes("?")) location.hash = `#/${panel}`; // a search is no longer at a day
    else tell("select", {});
  }
  const submit = (form) => tell("submit", { act: form.dataset.act, id: form.dataset.id ?? "", fields: Object.fromEntries([...new FormData(form)].filter(([, each]) => typeof each === "string")) }, form);

  element.addEventListener("click", (event) => {
    const act = event.target.closest?.("[data-act]:not(form, [data-view])");
    if (act) tell("click", { act: act.dataset.act, id: act.dataset.id ?? "" });
  });
  element.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.submitter?.formAction.endsWith("/logout")) return;
    event.preventDefault();
    if (event.submitter?.value === "cancel") return forget(form), status.replaceChildren(), form.closest("dialog").close();
    if (!("live" in form.dataset)) return submit(form);
    jumps = true; // Enter in a search: to its first result, once it is there
    search();
  });
  element.addEventListener("input", ({ target }) => {
    const form = target.form;
    if (form?.closest("dialog") && !("live" in form.dataset)) keep(form);
    if (form && "live" in form.dataset) clearTimeout(typing), (typing = setTimeout(search, TYPING));
  });
  element.addEventListener("change", ({ target }) => {
    const { sends, most, refusal } = target.dataset;
    const isTooLarge = sends && [...target.files].reduce((sum, { size }) => sum + size, 0) > Number(most);
    if (isTooLarge) return (target.value = ""), notice(refusal);
    if (sends) tell("submit", { act: sends, id: target.form.dataset.id, fields: {} }, target.form);
  });
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, target } = event;
    const again = status.checkVisibility() && status.querySelector("button");
    if (key !== "z" || !(ctrlKey || metaKey) || target.matches("input, textarea") || !again) return;
    event.preventDefault(); // else the browser undoes what was typed elsewhere
    again.click();
  });
  document.addEventListener("sf:act", ({ detail }) => detail.view === name && tell("click", { act: detail.act, id: detail.id ?? "" }));
  document.addEventListener("sf:panel", ({ detail }) => (detail === panel ? show() : element.querySelector("dialog")?.close()));
  document.addEventListener("sf:changed", () => show({ changed: true }));
  show();
}

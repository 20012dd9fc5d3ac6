// A companion's own story: its entries, the keys that call them, and the form they are written in.

import { make, tell } from "../shared/common.js";
import { button, call, choice, field, section, words, writing } from "./parts.js";
import { confirm } from "../shared/dialog.js";

const MOST_WITHOUT_SEARCH = 5;
const AT_ONCE = 50;
const SHORT = 40;
const BETWEEN_KEYS = /[,，、;；\n]/;

/** The part of the editor with the entries and the form of a new one. */
export function storySection(view) {
  const { open } = view;
  const all = open.kept.lore;
  const list = make("ul", { className: "sf-entries" });
  const found = make("p", { className: "sf-hint", role: "status" });
  const more = button(words("more"), () => fill(Infinity));
  const fill = (most = AT_ONCE) => {
    const wanted = open.find.trim().toLowerCase();
    const those = all.filter((it) => [it.text, ...it.keys].join("\n").toLowerCase().includes(wanted));
    list.replaceChildren(...those.slice(0, most).map((it) => entryRow(view, it)));
    more.hidden = those.length <= most;
    found.textContent = wanted ? words("found", { count: those.length, all: all.length }) : "";
  };
  fill();
  const oninput = ({ target }) => {
    open.find = target.value;
    fill();
  };
  const begin = () => {
    open.entry = { text: "", keys: "", constant: false, language: null, kind: "fact", day: "" };
    view.draw();
    document.getElementById("entry-text").focus();
  };
  const find = writing("companion-find", open.find, { type: "search", oninput });
  return section(
    words("lore"),
    make("p", { className: "sf-hint", textContent: words("lore_about") }),
    open.entry && !open.entry.id
      ? entryForm(view)
      : button(words("entry_new"), begin, { id: "entry-new" }),
    all.length > MOST_WITHOUT_SEARCH && field(words("find"), find),
    found,
    all.length ? list : make("p", { className: "sf-hint", textContent: words("lore_none") }),
    more,
  );
}

function entryRow(view, entry) {
  const { open } = view;
  if (open.entry?.id === entry.id) return make("li", {}, entryForm(view));
  const short = shortened(entry.text);
  const begin = () => {
    open.entry = { ...entry, keys: entry.keys.join(words("comma")) };
    view.draw();
    document.getElementById("entry-text").focus();
  };
  const told = saidOf(entry);
  return make(
    "li",
    { className: "sf-entry" },
    make("p", { textContent: entry.text }),
    told && make("p", { className: "sf-hint", textContent: told }),
    make(
      "div",
      { className: "sf-row" },
      button(words("edit_short"), begin, { "aria-label": words("act_edit", { words: short }) }),
      button(words("delete_short"), () => remove(view, entry), {
        kind: "danger",
        "aria-label": words("act_delete", { words: short }),
      }),
    ),
  );
}

/** When an entry is told, in words. */
function saidOf(entry) {
  const joined = (keys) => keys.join(words("comma"));
  return [
    entry.constant && words("always"),
    entry.keys.length && words("keys", { keys: joined(entry.keys) }),
    entry.secondary.length && words("secondary", { keys: joined(entry.secondary) }),
    entry.kind === "event" && entry.date,
    entry.language && words(`language_${entry.language}`),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The form of a new entry, or of the one that is being changed. */
function entryForm(view) {
  const { open } = view;
  const { entry } = open;
  const keep = (name, value) => (entry[name] = value);
  const typed = (name) => ({ oninput: ({ target }) => keep(name, target.value) });
  const told = select("entry-language", ["both", "language_en", "language_cn"]);
  told.value = entry.language ? `language_${entry.language}` : "both";
  told.onchange = () => keep("language", told.value === "both" ? null : told.value.slice(-2));
  const constant = make("input", {
    type: "checkbox",
    id: "entry-constant",
    checked: entry.constant,
    onchange: ({ target }) => keep("constant", target.checked),
  });
  const cancel = () => {
    open.entry = null;
    view.draw();
    document.getElementById("entry-new").focus();
  };
  return make(
    "div",
    { className: "sf-entry-form", role: "group", "aria-labelledby": "entry-title" },
    make("h4", { id: "entry-title", textContent: words(entry.id ? "entry_edit" : "entry_new") }),
    field(words("entry_text"), writing("entry-text", entry.text, { rows: 3, ...typed("text") })),
    field(words("entry_keys"), writing("entry-keys", entry.keys, typed("keys")), words("entry_keys_hint")),
    choice(words("entry_constant"), constant),
    field(words("entry_language"), told),
    !entry.id && kindFields(entry, keep, typed("day")),
    make(
      "div",
      { className: "sf-row" },
      button(words(entry.id ? "entry_save" : "entry_add"), () => write(view, entry), {
        kind: "primary",
        id: "entry-save",
      }),
      button(words("cancel"), cancel),
    ),
  );
}

/** Whether a new entry is a fact or an event, and of an event the day. */
function kindFields(entry, keep, typed) {
  const day = field(words("entry_day"), writing("entry-day", entry.day, { type: "date", ...typed }));
  const kind = select("entry-kind", ["fact", "event"]);
  kind.value = entry.kind;
  day.hidden = entry.kind !== "event";
  kind.onchange = () => {
    keep("kind", kind.value);
    day.hidden = entry.kind !== "event";
  };
  return make("div", {}, field(words("entry_kind"), kind), day);
}

function select(id, keys) {
  const options = keys.map((it) => make("option", { value: it, textContent: words(it) }));
  return make("select", { id, className: "sf-input" }, options);
}

async function write(view, entry) {
  const { open } = view;
  const { name } = open;
  const { id, text, constant, language, kind, day } = entry;
  const keys = entry.keys.split(BETWEEN_KEYS).filter((it) => it.trim());
  const body = { text, keys, constant, language };
  await view.attempt(async () => {
    const done = id
      ? await call("PUT", "entry", { name, id }, body)
      : await call("POST", "entry", { name }, { ...body, kind, day: kind === "event" ? day : "" });
    open.entry = null;
    open.take(await call("GET", "one", { name }));
    view.draw();
    tell(words(id ? "entry_saved" : done.entry ? "entry_added" : "entry_known"));
    document.getElementById("entry-new").focus({ preventScroll: Boolean(id) });
  });
}

async function remove(view, entry) {
  const { open } = view;
  const { name } = open;
  const isSure = await confirm({
    title: words("delete_entry_title"),
    body: entry.text,
    yes: words("delete_for_good"),
    no: words("keep"),
  });
  if (!isSure) return;
  await view.attempt(async () => {
    await call("DELETE", "entry", { name, id: entry.id });
    open.take(await call("GET", "one", { name }));
    view.draw();
    tell(words("entry_deleted"));
    document.getElementById("entry-new").focus({ preventScroll: true });
  });
}

function shortened(text) {
  const letters = [...text];
  return letters.length > SHORT ? `${letters.slice(0, SHORT).join("")}…` : text;
}

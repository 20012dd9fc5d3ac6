// One companion, opened to be edited: picture, character in two languages, its own story, files.

import { make, tell } from "../shared/common.js";
import { address, button, call, choice, field, fileButton, portrait, section, words, writing } from "./parts.js";
import { storySection } from "./story.js";
import { confirm } from "../shared/dialog.js";

const LANGUAGES = ["en", "cn"];
const LINES = { persona: 8, speaking_style: 3, greeting: 3 };
const PICTURES = "image/png,image/jpeg,image/webp";

/** True if something was typed into the character and not saved. */
export function isUnsaved(open) {
  return LANGUAGES.some((it) => isChanged(open, it));
}

function isChanged({ draft, kept }, written) {
  return JSON.stringify(draft[written]) !== JSON.stringify(kept.texts[written]);
}

/** The view of the companion that is open, as elements. */
export function drawEditor(view) {
  const name = view.open.called();
  return [
    button(words("back"), () => view.leave(), { id: "companion-back" }),
    make("h2", { id: "companion-title", tabIndex: -1, textContent: words("edit", { name }) }),
    pictureSection(view),
    characterSection(view),
    storySection(view),
    filesSection(view),
  ];
}

function pictureSection(view) {
  const { name, kept } = view.open;
  const change = (method, body, told) =>
    view.attempt(async () => {
      view.open.take(await call(method, "picture", { name }, body));
      view.draw();
      tell(words(told));
    });
  const choose = (file) => change("PUT", file, "picture_kept");
  const remove = () => change("DELETE", undefined, "picture_removed");
  return section(
    words("picture"),
    make(
      "div",
      { className: "sf-row" },
      portrait(kept.picture, view.open.called()),
      fileButton(words("picture_choose"), PICTURES, choose, "companion-picture"),
      kept.picture && button(words("picture_remove"), remove, { id: "companion-picture-remove" }),
    ),
    make("p", { className: "sf-hint", textContent: words("picture_hint") }),
  );
}

function characterSection(view) {
  const { open } = view;
  const texts = open.draft[open.language];
  const lang = open.language === "cn" ? "zh-CN" : "en";
  const text = (name, given) => {
    const oninput = ({ target }) => (texts[name] = target.value);
    return writing(`companion-${name}`, texts[name], { lang, oninput, ...given });
  };
  return section(
    words("character"),
    languageChoice(view),
    field(words("called"), text("called", { maxLength: 60 })),
    Object.entries(LINES).map(([name, rows]) =>
      field(words(name), text(name, { rows }), words(`${name}_hint`)),
    ),
    otherGreetings(view, texts.other_greetings, lang),
    make(
      "div",
      { className: "sf-row" },
      button(words("save"), () => save(view), { kind: "primary", id: "companion-save" }),
    ),
  );
}

function languageChoice(view) {
  const { open } = view;
  const choices = LANGUAGES.map((it) => {
    const onchange = () => {
      open.language = it;
      view.draw();
    };
    const given = { type: "radio", name: "companion-language", id: `companion-in-${it}`, checked: it === open.language };
    return choice(words(`language_${it}`), make("input", { ...given, onchange }));
  });
  return make(
    "fieldset",
    { className: "sf-row" },
    make("legend", { textContent: words("in_language") }),
    choices,
  );
}

function otherGreetings(view, several, lang) {
  const rows = several.map((greeting, place) => {
    const number = place + 2;
    const oninput = ({ target }) => (several[place] = target.value);
    const remove = () => {
      several.splice(place, 1);
      view.draw();
      document.getElementById("companion-add-greeting").focus();
    };
    return make(
      "div",
      { className: "sf-several" },
      field(
        words("other_greeting", { number }),
        writing(`companion-greeting-${place}`, greeting, { rows: 2, lang, oninput }),
      ),
      button(words("remove_greeting", { number }), remove),
    );
  });
  const add = () => {
    several.push("");
    view.draw();
    document.getElementById(`companion-greeting-${several.length - 1}`).focus();
  };
  return make(
    "div",
    { className: "sf-greetings", role: "group", "aria-label": words("other_greetings") },
    rows,
    button(words("add_greeting"), add, { id: "companion-add-greeting" }),
  );
}

async function save(view) {
  const { open } = view;
  const changed = LANGUAGES.filter((it) => isChanged(open, it));
  await view.attempt(async () => {
    const body = Object.fromEntries(changed.map((it) => [it, open.draft[it]]));
    open.take(await call("PUT", "one", { name: open.name }, body));
    open.draft = structuredClone(open.kept.texts);
    view.draw();
    tell(words("saved"));
  });
}

function filesSection(view) {
  const { name, kept } = view.open;
  const link = (label, form) =>
    make("a", { className: "sf-button", href: address("export", { name, form }), download: "", textContent: label });
  const remove = () => removeCompanion(view);
  return section(
    words("files"),
    make(
      "div",
      { className: "sf-row" },
      link(words("export_json"), "json"),
      kept.has_png && link(words("export_picture"), "picture"),
      button(words("delete", { name: view.open.called() }), remove, { kind: "danger", id: "companion-delete" }),
    ),
  );
}

async function removeCompanion(view) {
  const { name } = view.open;
  const called = view.open.called();
  const isSure = await confirm({
    title: words("delete_title", { name: called }),
    body: words("delete_about"),
    yes: words("delete_for_good"),
    no: words("keep"),
  });
  if (!isSure) return;
  await view.attempt(async () => {
    await call("DELETE", "one", { name });
    await view.close();
    tell(words("deleted", { name: called }));
  });
}

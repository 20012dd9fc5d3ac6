// What the views of companions are built from: fields, files, portraits, and the page's answers.
// Words are always set as text, never as HTML: a card that somebody else wrote is shown here.

import { language, make, say } from "../shared/common.js";

/** A text of the panel. */
export const words = (key, values) => say(`web_companions.panel.${key}`, values);

/** A label, its field and what is said of it. */
export function field(label, input, hint = "") {
  const described = `${input.id}-hint`;
  if (hint) input.setAttribute("aria-describedby", described);
  return make(
    "div",
    { className: "sf-field" },
    make("label", { htmlFor: input.id, textContent: label }),
    hint && make("p", { className: "sf-hint", id: described, textContent: hint }),
    input,
  );
}

/** A field to write in: one line, or several. */
export function writing(id, value, given = {}) {
  const tag = given.rows ? "textarea" : "input";
  return make(tag, { id, className: "sf-input", value, autocomplete: "off", ...given });
}

export function button(label, act, { kind = "", ...given } = {}) {
  const className = `sf-button ${kind && `sf-${kind}`}`;
  return make("button", { type: "button", className, textContent: label, onclick: act, ...given });
}

/** A button that opens the choice of a file, which is given to `take`. */
export function fileButton(label, accept, take, id) {
  const input = make("input", {
    type: "file",
    accept,
    id,
    className: "sf-hidden",
    onchange: () => {
      const [file] = input.files;
      input.value = "";
      if (file) take(file);
    },
  });
  return make("label", { className: "sf-button sf-file" }, input, make("span", { textContent: label }));
}

/** A box to tick, with its label. */
export function choice(label, input) {
  return make("label", { className: "sf-choice" }, input, make("span", { textContent: label }));
}

/** A part of a view under a heading of its own. */
export function section(title, ...children) {
  const heading = make("h3", { textContent: title });
  return make("section", { className: "sf-section", "aria-label": title }, heading, children.flat());
}

/** The picture of a companion; without one its first letter, or the avatar of the usual one. */
export function portrait(picture, called, isDescribed = true) {
  const source = picture ? `./companions/${picture}` : !isDescribed && new URL("../look/avatar.svg", import.meta.url).href;
  if (source) return make("img", { className: "sf-portrait", src: source, alt: "" });
  const letter = [...called][0] ?? "";
  return make("div", { className: "sf-portrait", "aria-hidden": "true", textContent: letter });
}

/** An answer of the page that is no success: its sentence, and what it is about. */
export class Refused extends Error {
  constructor({ error, key = "", name = "" }) {
    super(error);
    this.key = key;
    this.nameThere = name;
  }
}

export function address(path, values = {}) {
  return `./companions/${path}?${new URLSearchParams({ ...values, language: language() })}`;
}

/** Ask the page for something; a body is a file or an object. */
export async function call(method, path, values, body) {
  const options = { method };
  if (body instanceof Blob) options.body = body;
  else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { "content-type": "application/json" };
  }
  let answer;
  try {
    answer = await fetch(address(path, values), options);
  } catch {
    throw new Refused({ error: words("failed") });
  }
  const isJson = answer.headers.get("content-type")?.includes("json");
  const told = isJson ? await answer.json() : { error: await answer.text() };
  if (!answer.ok) throw new Refused(told);
  return told;
}

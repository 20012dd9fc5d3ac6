// What every script of the page knows: who uses it, in which language, and the texts to say.
// Scripts tell each other by events of the document: sf:person, sf:language, sf:panel.

export const data = JSON.parse(document.getElementById("sf-data").textContent);

let person = "";

export const language = () => (document.documentElement.lang.startsWith("zh") ? "cn" : "en");
export const whoami = () => person;
export const companionName = () => data.companion_names[language()];

/** A text of the page, "web.stop" say, with values in the place of {names}. */
export function say(key, values = {}) {
  const words = key.split(".").reduce((table, part) => table?.[part], data.texts[language()]);
  if (words === undefined) throw new Error(`no text ${key}`);
  return words.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

/** An element with properties, listeners (onclick), attributes and children; words are never HTML. */
export function make(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && !name.includes("-")) made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((it) => it !== null && it !== undefined && it !== false));
  return made;
}

/** One of the page's icons; it says nothing, so the button around it has a name. */
export function icon(name) {
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawn.setAttribute("class", "sf-icon");
  drawn.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${data.icons}#${name}`);
  drawn.append(use);
  return drawn;
}

/** Tell something for some seconds, with a way to take it back: tell(words, {label, act}). */
export function tell(words, undo = null) {
  const close = () => notice.remove();
  const notice = make(
    "div",
    { className: "sf-notice" },
    make("span", { textContent: words }),
    undo && make("button", { type: "button", textContent: undo.label, onclick: () => (close(), undo.act()) }),
    make("button", { type: "button", "aria-label": say("web_page.close"), onclick: close }, icon("close")),
  );
  document.getElementById("sf-notices").replaceChildren(notice);
  if (!undo) setTimeout(close, 8000);
  return close;
}

/** Ask a route of the page, with an object or a file; gives its JSON. An error of the server is thrown with its words. */
export async function ask(path, { method = "GET", query = {}, body } = {}) {
  const address = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries({ language: language(), companion: data.companion, ...query })) address.searchParams.set(name, value);
  const isFile = body instanceof Blob;
  const headers = body === undefined || isFile ? {} : { "content-type": "application/json" };
  const answer = await fetch(address, { method, headers, body: body === undefined || isFile ? body : JSON.stringify(body) });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(told.error ?? `HTTP ${answer.status}`), { status: answer.status, told });
  return told;
}

export function announce(name, detail = {}) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

/** For shell/page.js alone: who uses the page from now on. */
export function setPerson(name) {
  if (name !== person) document.getElementById("sf-notices").replaceChildren();
  person = name;
}

// What the components share: elements, icons, keys, and the browser's storage.

/** What the server says of the page: who it is for, with which companion, and its texts. */
export const pageData = JSON.parse(document.getElementById("sf-main").dataset.page);

/** An element with properties, listeners, attributes and children; words are never HTML. */
export function make(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && !name.includes("-")) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((each) => each));
  return made;
}

export const button = (label, onclick, given = {}) => make("button", { type: "button", textContent: label, onclick, ...given });

const keyOf = (each) => each.id || each.dataset?.memory || each.dataset?.part;

/** The element that HTML of the server's is. */
export const parse = (html) => make("template", { innerHTML: html }).content;

/** Puts nodes into an element, and leaves alone those that stand there. */
export function arrange(parent, nodes) {
  const stays = new Set(nodes);
  for (const each of [...parent.childNodes]) if (!stays.has(each)) each.remove();
  nodes.forEach((each, at) => parent.childNodes[at] !== each && parent.insertBefore(each, parent.childNodes[at] ?? null));
}

/** Fills an element as another is filled; what is the same stays as it is: open, selected, in focus. */
export function fill(old, made) {
  const named = new Map([...old.childNodes].map((each) => [keyOf(each), each]));
  const unnamed = [...old.childNodes].filter((each) => !keyOf(each));
  arrange(old, [...made.childNodes].map((each) => morph(keyOf(each) ? named.get(keyOf(each)) : unnamed.shift(), each)));
}

/** Makes a node like another, and returns it; the other, where it cannot become that. */
export function morph(old, made) {
  if (old?.nodeName !== made.nodeName) return made;
  if (old.isEqualNode(made)) return old;
  if (!made.attributes) return Object.assign(old, { data: made.data });
  for (const { name } of [...old.attributes]) if (name !== "open" && !made.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) old.setAttribute(name, value);
  fill(old, made);
  return old;
}

/** Loads the page anew where nobody is logged in any more. */
export async function checkLogIn(given) {
  const { status } = given ?? (await fetch("./session").catch(() => ({})));
  if (status === 401 || status === 403) location.reload();
}

/** A key that nobody else draws; crypto.randomUUID exists on https and on this machine alone. */
export const drawKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export function recall(storage, key) {
  try { return JSON.parse(storage.getItem(key)); } catch { return null; }
}

export function remember(storage, key, value) {
  try { storage.setItem(key, JSON.stringify(value)); } catch { /* a browser without storage forgets it */ }
}

/** Copies words; navigator.clipboard exists on https and on this machine alone, and may be refused. */
export async function copyWords(words) {
  try {
    return await navigator.clipboard.writeText(words);
  } catch {
    // The older way follows.
  }
  const area = make("textarea", { value: words, className: "sf-hidden" });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

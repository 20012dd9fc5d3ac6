// Shared helpers: elements, keys, and the browser's storage.

/** Data of the page from the server: the person, the companion and the texts. */
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

const keyOf = (each) => each.id || each.dataset?.memory || each.dataset?.part;

/** Parses HTML from the server. */
export const parse = (html) => make("template", { innerHTML: html }).content;

/** Makes nodes the children of an element; nodes already in place are not moved. */
export function arrange(parent, nodes) {
  const stays = new Set(nodes);
  for (const each of [...parent.childNodes]) if (!stays.has(each)) each.remove();
  nodes.forEach((each, at) => parent.childNodes[at] !== each && parent.insertBefore(each, parent.childNodes[at] ?? null));
}

/** Makes the children of an element like those of another; equal nodes keep their state. */
export function fill(old, made) {
  const named = new Map([...old.childNodes].map((each) => [keyOf(each), each]));
  const unnamed = [...old.childNodes].filter((each) => !keyOf(each));
  arrange(old, [...made.childNodes].map((each) => morph(keyOf(each) ? named.get(keyOf(each)) : unnamed.shift(), each)));
}

/** Makes a node like another and returns it; returns the other if their kinds differ. */
export function morph(old, made) {
  if (old?.nodeName !== made.nodeName) return made;
  if (old.isEqualNode(made)) return old;
  if (!made.attributes) return Object.assign(old, { data: made.data });
  for (const { name } of [...old.attributes]) if (name !== "open" && !made.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) old.setAttribute(name, value);
  fill(old, made);
  return old;
}

/** Reloads the page if the session has ended. */
export async function checkLogIn(given) {
  const { status } = given ?? (await fetch("./session").catch(() => ({})));
  if (status === 401 || status === 403) location.reload();
}

/** Returns a random key; crypto.randomUUID exists only on https and localhost. */
export const drawKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export function recall(storage, key) {
  try { return JSON.parse(storage.getItem(key)); } catch { return null; }
}

export function remember(storage, key, value) {
  try { storage.setItem(key, JSON.stringify(value)); } catch { /* no storage */ }
}

/** Copies words; navigator.clipboard exists only on https and localhost, and may be refused. */
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

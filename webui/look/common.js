// What the components share: elements, icons, keys, and the browser's storage.

/** An element with properties, listeners, attributes and children; words are never HTML. */
export function make(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && !name.includes("-")) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((it) => it));
  return made;
}

export const button = (label, onclick, given = {}) => make("button", { type: "button", textContent: label, onclick, ...given });

/** One of the page's icons; it says nothing, so what it stands in has a name. */
export function icon(name) {
  const place = document.createElement("span");
  place.innerHTML = `<svg class="sf-icon" aria-hidden="true"><use href="${new URL("./icons.svg", import.meta.url)}#${name}"/></svg>`;
  return place.firstChild;
}

/** A key that nobody else draws; crypto.randomUUID exists on https and on this machine alone. */
export const drawKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export function recall(storage, key) {
  try { return JSON.parse(storage.getItem(key)); } catch { return null; }
}

export function remember(storage, key, value) {
  try {
    if (value === null || value === undefined) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(value));
  } catch { /* a browser without storage forgets it */ }
}

/** Copies words; navigator.clipboard exists on https and on this machine alone. */
export async function copyWords(words) {
  if (navigator.clipboard) return navigator.clipboard.writeText(words);
  const area = make("textarea", { value: words, className: "sf-hidden" });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

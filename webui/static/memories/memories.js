// The memories as a timeline: the list of days comes first, the words of a day when it comes into
// sight. Days far away keep their place without being drawn (content-visibility in panels.css), so
// that thousands scroll like a few. Filters and a search ask the server again.

import { here } from "../shared/addresses.js";
import { ask, data, language, make, say, whoami } from "../shared/common.js";

const KINDS = ["turn", "day", "event", "fact", "insight", "topic"];
const STATES = ["vivid", "faded", "archived"];
const AT_ONCE = 12;
const TYPING_PAUSE = 250;

let place = null;
let shownFor = "";
let wanted = new Set();
let asking = false;
let typing = 0;
let round = 0;
let held = null; // the day that was gone to, until whoever reads does anything

const part = (name) => place.querySelector(`.sf-memories-${name}`);
const value = (id) => place.querySelector(`#${id}`).value;
const asked = () => ({ person: whoami(), companion: data.companion });
const filters = () => ({ ...asked(), kind: value("sf-kind"), state: value("sf-state") });
const isShown = () => here().panel === "memories";

const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting && target.dataset.wait === "1") wanted.add(target);
      else wanted.delete(target);
    }
    fill();
  },
  { rootMargin: "1200px 0px" },
);

const growth = new ResizeObserver(() => hold());

function select(id, label, names, keys) {
  const options = [["", "web.any"], ...names.map((it) => [it, `${keys}.${it}`])];
  const made = make(
    "select",
    { id, className: "sf-input", onchange: () => load() },
    options.map(([it, key]) => make("option", { value: it, textContent: say(key) })),
  );
  return make("label", { className: "sf-field" }, make("span", { textContent: say(label) }), made);
}

function frame() {
  const search = make("input", { id: "sf-search", className: "sf-input", type: "search", placeholder: say("web.search_hint"), oninput: typed, onkeydown: (event) => event.key === "Enter" && load() });
  const day = make("input", { id: "sf-go-to-day", className: "sf-input", type: "date", onchange: (event) => event.target.value && goTo(event.target.value) });
  place.replaceChildren(
    make(
      "form",
      { className: "sf-filters", role: "search", onsubmit: (event) => event.preventDefault() },
      make("label", { className: "sf-field sf-grow" }, make("span", { textContent: say("web.search") }), search),
      select("sf-kind", "web.kind", KINDS, "web.kinds"),
      select("sf-state", "web.state", STATES, "web.states"),
      make("label", { className: "sf-field" }, make("span", { textContent: say("web_panels.go_to_day") }), day),
    ),
    make("p", { className: "sf-quiet sf-memories-count", role: "status" }),
    make("div", { className: "sf-timeline sf-memories-list" }),
  );
}

function typed() {
  clearTimeout(typing);
  typing = setTimeout(load, TYPING_PAUSE);
}

/** Ask for the list of days again, or for what the search finds. */
async function load() {
  clearTimeout(typing);
  const own = (round += 1), list = part("list"), words = value("sf-search").trim();
  list.setAttribute("aria-busy", "true");
  try {
    if (words) {
      const { html } = await ask("./memories/found", { query: { ...filters(), words } });
      if (own === round) keepingFocus(list, () => (list.innerHTML = html));
      return;
    }
    const told = await ask("./memories/timeline", { query: filters() });
    if (own !== round) return;
    draw(told.days);
    const { words: counted } = await ask("./memories/counted", { query: asked() });
    if (own === round) part("count").textContent = counted;
  } catch (error) {
    if (own === round) list.replaceChildren(make("p", { className: "sf-quiet", textContent: error.told?.message ?? say("web_panels.unreachable") }));
  } finally {
    if (own === round) list.removeAttribute("aria-busy");
  }
}

/** Lay out a place for each day; those that stood there stay until their new words have come. */
function draw(days) {
  const list = part("list");
  const standing = new Map([...list.querySelectorAll(".sf-day")].map((it) => [it.dataset.day, it]));
  watcher.disconnect();
  wanted = new Set();
  const places = days.map((day) => {
    const section = standing.get(day) ?? make("section", { className: "sf-day", "data-day": day });
    section.dataset.wait = "1";
    watcher.observe(section);
    return section;
  });
  if (places.length) list.replaceChildren(...places);
  else list.replaceChildren(make("p", { className: "sf-quiet", textContent: say("web.none_found") }));
  goToAddress();
}

/** Ask for the words of the days in sight, a handful at once. */
async function fill() {
  if (asking || !wanted.size) return;
  asking = true;
  const own = round, some = [...wanted].slice(0, AT_ONCE);
  try {
    const { days } = await ask("./memories/days", { query: { ...filters(), days: some.map((it) => it.dataset.day).join(",") } });
    if (own === round) for (const section of some) put(section, days[section.dataset.day] ?? "");
  } catch {
    for (const section of some) wanted.delete(section);
  } finally {
    asking = false;
  }
  if (wanted.size) fill();
}

function put(section, html) {
  wanted.delete(section);
  section.dataset.wait = "";
  keepingFocus(section, () => (section.innerHTML = html));
  if (!html) section.remove();
}

/** Draw a part anew; what had the focus in it has it again, or what stands there instead. */
function keepingFocus(part, draw) {
  const focused = part.contains(document.activeElement) ? document.activeElement.closest("[data-memory]")?.dataset.memory : null;
  draw();
  if (focused) (part.querySelector(`[data-memory="${focused}"] .sf-menu-button`) ?? part.querySelector(".sf-menu-button"))?.focus({ preventScroll: true });
}

/** Scroll to a day, or to the nearest one before it that there is. */
function goTo(day, focus = true) {
  held = null;
  const sections = [...part("list").querySelectorAll(".sf-day")];
  const section = sections.find((it) => it.dataset.day <= day) ?? sections.at(-1);
  if (!section) return;
  section.tabIndex = -1;
  held = section;
  hold();
  if (focus) section.focus({ preventScroll: true });
}

/** Keep the day that was gone to in sight while the days above it get their words and heights. */
function hold() {
  if (held?.isConnected && isShown()) held.scrollIntoView({ block: "start" });
}

for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) {
  document.addEventListener(name, () => (held = null), { capture: true, passive: true });
}

function goToAddress() {
  const { panel, parameters } = here();
  if (panel === "memories" && /^\d{4}-\d\d-\d\d$/.test(parameters.day ?? "")) goTo(parameters.day);
}

function show() {
  const there = document.getElementById("memories");
  if (!there || !isShown() || !whoami()) return;
  const key = `${whoami()} ${language()}`;
  if (there !== place || key !== shownFor) {
    place = there;
    shownFor = key;
    frame();
    growth.disconnect();
    growth.observe(part("list"));
  } else goToAddress();
  load();
}

/** Nothing of one person stays for the next, nor of one language for the other. */
function clear() {
  round += 1;
  shownFor = "";
  held = null;
  watcher.disconnect();
  place?.replaceChildren();
}

document.addEventListener("sf:person", clear);
document.addEventListener("sf:language", clear);
document.addEventListener("sf:panel", ({ detail }) => detail.panel === "memories" && show());
document.addEventListener("sf:settled", show);
document.addEventListener("sf:place", show);
document.addEventListener("sf:memories", () => {
  if (place && isShown() && shownFor) load();
});
show();

// The page around its panels: who uses it, its language and colours, and which panel is shown.

import { go, here, startAddresses } from "../shared/addresses.js";
import { showBeginning } from "../beginning/beginning.js";
import { announce, companionName, data, language, make, say, setPerson, whoami } from "../shared/common.js";
import { openDialog } from "../shared/dialog.js";
import "./escape.js";
import { isSettled } from "./settling.js";

const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const YEAR = 365 * 24 * 3600;

/** The panels that were shown to whoever uses the page, which are shown again in another language. */
const seen = new Set();
/** The panels are still those of somebody else, or in another language. */
let isSettling = false;
const waiting = new Map();
/** Call one of Gradio's handlers, as soon as it can be called. */
function call(name, detail = {}) {
  if ("ready" in root.dataset) announce(name, detail);
  else document.addEventListener("sf:ready", () => announce(name, detail), { once: true });
}

/** Let somebody use this tab from now on; an empty name goes back to the beginning. */
export function begin(name) {
  const wasSomebody = Boolean(whoami());
  setPerson(name);
  seen.clear();
  if (!data.log_in) localStorage.setItem("sf-who", name);
  byId("sf-who").querySelector("span").textContent = name;
  if (name) root.dataset.begun = "";
  else delete root.dataset.begun;
  byId("sf-beginning").hidden = Boolean(name);
  if (name) byId("sf-beginning").replaceChildren();
  nameWho();
  if (name || wasSomebody) settle();
  announce("sf:person", { person: name });
  if (!name) showBeginning(byId("sf-beginning"), beginNow);
}

/** Let Gradio's panels be those of whoever uses the tab, in the page's language. */
function settle() {
  isSettling = true;
  call("sf:settle", { person: whoami(), language: language() });
}

function beginNow(name) {
  begin(name);
  go(data.panels[0]);
}

function keep(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; samesite=lax`;
}

function switchLanguage() {
  const next = language() === "cn" ? "en" : "cn";
  keep("sf-language", next);
  root.lang = next === "cn" ? "zh-CN" : "en";
  drawWords();
  settle();
  announce("sf:language", { language: next });
  if (!whoami()) showBeginning(byId("sf-beginning"), beginNow);
}

/** Draw the shell's own words again, in another language. */
function drawWords() {
  const isChinese = language() === "cn";
  document.title = companionName();
  byId("sf-companion").querySelector("h1").textContent = companionName();
  byId("sf-language").textContent = isChinese ? "English" : "中文";
  byId("sf-language").lang = isChinese ? "en" : "zh-CN";
  byId("log-out").textContent = say("web_page.shell.log_out");
  document.querySelector(".sf-skip").textContent = say("web_page.shell.skip");
  byId("sf-nav").setAttribute("aria-label", say("web_page.shell.panels"));
  for (const key of ["who", "colours", "about"]) {
    const words = say(`web_page.shell.${key}`);
    byId(`sf-${key}`).setAttribute("aria-label", words);
    byId(`sf-${key}`).title = words;
  }
  for (const link of document.querySelectorAll("#sf-nav a")) {
    link.querySelector("span").textContent = say(`web.tabs.${link.dataset.panel}`);
  }
  nameWho();
  namePanels();
}

function nameWho() {
  byId("sf-who").setAttribute("aria-label", `${say("web_page.shell.who")}: ${whoami()}`);
}

function namePanels() {
  // Gradio's own main stands inside of ours.
  document.querySelector("gradio-app main")?.setAttribute("role", "none");
  for (const key of data.panels) {
    const panel = byId(`panel-${key}`);
    if (!panel) continue;
    const heading = byId(`panel-${key}-title`) ?? make("h2", { id: `panel-${key}-title`, className: "sf-hidden" });
    heading.textContent = say(`web.tabs.${key}`);
    if (!heading.isConnected) panel.prepend(heading);
    panel.setAttribute("role", "region");
    panel.setAttribute("aria-labelledby", heading.id);
  }
}

const darkness = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.colours ?? (darkness.matches ? "dark" : "light")) === "dark";

function switchColours() {
  root.dataset.colours = isDark() ? "light" : "dark";
  keep("sf-colours", root.dataset.colours);
  drawColours();
}

/** Gradio's own class follows too, for what its scripts decide by it. */
function drawColours() {
  document.body.classList.toggle("dark", isDark());
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    meta.content = getComputedStyle(byId("sf-top")).backgroundColor;
  }
}

function tellAbout() {
  const lines = data.notice[language()].split("\n");
  const body = lines.map((words) => make("p", { textContent: words }));
  openDialog({ title: say("web_page.shell.about"), body: [make("div", { id: "notice" }, body)] });
}

/** The room that a phone's keyboard leaves, where the browser does not make the page smaller. */
function fitKeyboard() {
  const seen = window.visualViewport;
  if (!seen) return;
  const fit = () => {
    root.style.setProperty("--sf-height", `${Math.round(seen.height)}px`);
    root.toggleAttribute("data-typing", innerHeight - seen.height > 120);
    scrollTo(0, 0);
  };
  seen.addEventListener("resize", fit);
}

document.addEventListener("sf:panel", ({ detail }) => {
  if (!whoami()) return;
  seen.add(detail.panel);
  if (!isSettling) call(`sf:show:${detail.panel}`);
});
document.addEventListener("sf:settled", () => {
  if (!isSettled()) return; // of whoever used the tab before
  isSettling = false;
  namePanels();
  if (!whoami()) return;
  for (const panel of seen.add(here().panel)) call(`sf:show:${panel}`);
});

// By its address alone the link would lead to the first panel.
document.querySelector(".sf-skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("sf-main").focus();
});
byId("sf-language").addEventListener("click", switchLanguage);
byId("sf-colours").addEventListener("click", switchColours);
byId("sf-about").addEventListener("click", tellAbout);
byId("sf-who").addEventListener("click", () => begin(""));
byId("sf-who").disabled = data.log_in; // who somebody is was settled by the log-in
darkness.addEventListener("change", drawColours);
new MutationObserver(() => {
  if (document.body.classList.contains("dark") !== isDark()) drawColours();
}).observe(document.body, { attributeFilter: ["class"] });

fitKeyboard();
drawColours();
startAddresses();
begin(data.log_in ? data.person : localStorage.getItem("sf-who") ?? "");

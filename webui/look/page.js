// The page around its panels: which one is shown, light or dark, and Gradio's panels when one is opened.
import { checkLogIn, make, pageData } from "./common.js";
import { startTalk } from "./talk.js";
import { start } from "./view.js";

const root = document.documentElement;
const main = document.getElementById("sf-main");
const loading = document.getElementById("sf-loading");
const links = [...document.querySelectorAll("#sf-nav a")];
const RETRY = 1500; // milliseconds after which panels that could not be loaded are asked for again
let panels = null; // the promise that they are there

function arrive() {
  const [name] = location.hash.replace(/^#\/?/, "").split("?");
  const panel = links.some((each) => each.dataset.panel === name) ? name : "chat";
  root.dataset.panel = panel;
  document.getElementById("sf-language").hash = location.hash;
  for (const each of links) each.ariaCurrent = each.dataset.panel === panel ? "page" : null;
  if (panel !== "chat") panels ??= loadPanels().catch(tryAgain);
  loading.hidden = panel === "chat" || Boolean(document.getElementById(`panel-${panel}`));
  document.dispatchEvent(new CustomEvent("sf:panel", { detail: panel }));
}

function tryAgain(error) {
  console.error(error);
  document.querySelector("gradio-app")?.remove();
  panels = null;
  setTimeout(() => root.dataset.panel === "chat" || arrive(), RETRY);
}

// Gradio's page, into this one: its settings, its style and its script, which draws <gradio-app>.
async function loadPanels() {
  const { lang } = root; // which Gradio sets to that of the browser
  new MutationObserver(() => root.lang === lang || (root.lang = lang)).observe(root, { attributeFilter: ["lang"] });
  const answer = await fetch("./panels");
  checkLogIn(answer);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const settings = [...page.scripts].filter((each) => /window\.gradio_(config|api_info) =/.test(each.textContent));
  for (const each of settings) document.head.append(make("script", { textContent: each.textContent }));
  window.gradio_config.root = new URL("./", document.baseURI).href.replace(/\/$/, "");
  window.__gradio_mode__ = "app";
  for (const each of page.querySelectorAll("link[rel=stylesheet]")) document.head.prepend(make("link", { rel: "stylesheet", href: each.getAttribute("href") }));
  main.append(make("gradio-app", { embed: "false", eager: "true" }));
  new MutationObserver((_, seen) => document.querySelector(".gradio-container .sf-panel") && (seen.disconnect(), (loading.hidden = true))).observe(main, { childList: true, subtree: true });
  await import(new URL(page.querySelector("script[type=module][src]").getAttribute("src"), document.baseURI).href);
}

addEventListener("hashchange", arrive);
document.addEventListener("click", ({ target }) => {
  if (target.closest?.(`a[href="${location.hash}"]`)) arrive(); // shown already: asked anew
  const opener = target.closest?.("[data-view]"); // a dialog that any part of the page opens
  if (opener) document.dispatchEvent(new CustomEvent("sf:act", { detail: opener.dataset }));
});
document.querySelector(".sf-skip").addEventListener("click", (event) => {
  event.preventDefault(); // by its address alone it would lead to the first panel
  (root.dataset.panel === "chat" ? document.querySelector(".talk-box textarea") : main).focus();
});
document.getElementById("sf-colours").addEventListener("click", () => {
  const now = root.dataset.colours ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.colours = now === "dark" ? "light" : "dark";
  document.cookie = `sf-colours=${root.dataset.colours}; path=/; max-age=31536000; samesite=lax`;
});
// The room that a phone's keyboard leaves, where the browser does not make the page smaller.
visualViewport?.addEventListener("resize", () => {
  root.style.setProperty("--sf-height", `${Math.round(visualViewport.height)}px`);
  root.toggleAttribute("data-typing", innerHeight - visualViewport.height > 120);
  scrollTo(0, 0);
});
startTalk(document.getElementById("talk"));
for (const each of document.querySelectorAll("[data-plain-view]")) start(each);
arrive();
if (pageData.notices) import("./notices.js");

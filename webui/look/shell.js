// The page around its panels: which one is shown, light or dark, and who hears what is said.
import { checkLogIn } from "./common.js";
const root = document.documentElement;
const links = [...document.querySelectorAll("#sf-nav a")];

function arrive() {
  const [name] = location.hash.replace(/^#\/?/, "").split("?");
  const panel = links.some((it) => it.dataset.panel === name) ? name : "chat";
  root.dataset.panel = panel;
  document.getElementById("sf-language").hash = location.hash;
  for (const it of links) it.ariaCurrent = it.dataset.panel === panel ? "page" : null;
  document.dispatchEvent(new CustomEvent("sf:panel", { detail: panel }));
}

// Gradio tells its errors in English.
const { texts } = JSON.parse(document.getElementById("sf-main").dataset.page);
new MutationObserver(() => {
  for (const it of document.querySelectorAll(".toast-message-text:not([data-told])")) {
    it.dataset.told = it.textContent.match(/connection|file/i)?.[0].toLowerCase() ?? "other";
    it.textContent = texts.failed[it.dataset.told];
    document.dispatchEvent(new CustomEvent("sf:failed"));
    checkLogIn();
  }
}).observe(document.body, { childList: true, subtree: true });

addEventListener("hashchange", arrive);
document.addEventListener("click", ({ target }) => {
  if (target.closest?.(`a[href="${location.hash}"]`)) arrive(); // shown already: asked anew
});
document.querySelector(".sf-skip").addEventListener("click", (event) => {
  event.preventDefault(); // by its address alone it would lead to the first panel
  (root.dataset.panel === "chat" ? document.querySelector(".talk-box textarea") : document.getElementById("sf-main")).focus();
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
arrive();

// Each panel has an address, #/memories say, so that Back, reload and a link lead where one was.
// What follows a question mark belongs to the panel: #/chat?line=... is given to it as parameters.

import { announce, data } from "./common.js";

/** The panel of the address, and its parameters. */
export function here() {
  const [name, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const panel = data.panels.includes(name) ? name : data.panels[0];
  return { panel, parameters: Object.fromEntries(new URLSearchParams(query)) };
}

/** Go to a panel; `replace` leaves no step back. */
export function go(panel, parameters = {}, { replace = false } = {}) {
  const query = new URLSearchParams(parameters).toString();
  const hash = `#/${panel}${query ? `?${query}` : ""}`;
  if (hash === location.hash) {
    announce("sf:panel", here());
    return;
  }
  history[replace ? "replaceState" : "pushState"](null, "", location.pathname + location.search + hash);
  arrive();
}

function arrive() {
  const place = here();
  document.documentElement.dataset.panel = place.panel;
  for (const link of document.querySelectorAll("#sf-nav a")) {
    if (link.dataset.panel === place.panel) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  announce("sf:panel", place);
}

export function startAddresses() {
  addEventListener("popstate", arrive);
  addEventListener("hashchange", arrive);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#/"]');
    if (!link || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const [panel, query = ""] = link.getAttribute("href").slice(2).split("?");
    go(panel, Object.fromEntries(new URLSearchParams(query)));
  });
  arrive();
}

// Three questions that one could ask of one's own memory, above the message box, until something
// is said. Who is new has none.

import { ask, make, say, whoami } from "../shared/common.js";
import { talk } from "../talk/talk.js";
import { registerDrawn } from "../talk/extend.js";

const place = make("div", { id: "sf-examples", role: "group", hidden: true });
let asked = 0;

function forget() {
  place.hidden = true;
  place.replaceChildren();
}

async function show() {
  const mine = (asked += 1);
  forget();
  if (!whoami()) return;
  const questions = await ask("beginning/questions", { query: { name: whoami() } }).catch(() => []);
  if (mine !== asked || hasSaid(talk)) return;
  place.setAttribute("aria-label", say("web_page.examples"));
  place.append(...questions.map(exampleButton));
  place.hidden = questions.length === 0;
}

function exampleButton(words) {
  return make("button", {
    type: "button", className: "sf-example", textContent: words,
    onclick: () => {
      forget();
      talk.box.put(words);
      talk.box.submit();
    },
  });
}

const hasSaid = (view) => Boolean(view.running || view.waiting.length || view.locals.some((it) => it.query));

registerDrawn((view) => {
  if (place.nextSibling !== view.box.root) view.box.root.before(place);
  if (!place.hidden && hasSaid(view)) forget();
});
document.addEventListener("sf:person", show);
document.addEventListener("sf:language", show);
show();

// The beginning, where nobody logs in: who is known here, or a new name. Nothing is said before.

import { ask, companionName, data, icon, make, say } from "./common.js";

/** Draw the beginning; `begin` is called with the name of whoever begins. */
export async function showBeginning(place, begin) {
  place.hidden = false;
  const input = make("input", {
    id: "name", className: "sf-input", autocomplete: "nickname", maxLength: 200,
    value: data.usual_person, "aria-describedby": "begin-refused",
  });
  const refused = make("p", { id: "begin-refused", className: "sf-refused", role: "alert" });
  const known = make("div", { id: "known" });
  const submit = async (event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (!name) return input.focus();
    const told = await ask("beginning/name", { query: { name } });
    if (told.person) return begin(told.person);
    refused.textContent = told.refused;
    input.focus();
  };
  place.replaceChildren(
    make("img", { className: "sf-avatar sf-large", src: data.picture, alt: "" }),
    make("h2", { textContent: say("web_page.begin.title", { companion: companionName() }) }),
    known,
    make(
      "form",
      { onsubmit: submit },
      make("label", { htmlFor: "name", textContent: say("web_page.begin.name") }),
      input,
      refused,
      make("button", { id: "start", type: "submit", className: "sf-button sf-primary", textContent: say("web.start") }),
    ),
  );
  const people = await ask("beginning/people");
  if (!people.length) return input.focus();
  known.replaceChildren(
    make("p", { textContent: say("web_page.begin.known") }),
    make(
      "ul",
      {},
      people.map((name) =>
        make(
          "li",
          {},
          make("button", { type: "button", className: "sf-button", onclick: () => begin(name) }, icon("portrait"), make("span", { textContent: name })),
        ),
      ),
    ),
  );
}

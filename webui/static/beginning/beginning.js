// The beginning, where nobody logs in: who is known here, or a new name. Nothing is said before,
// so that no words meant for one person reach another's memory.

import { ask, companionName, data, icon, make, say } from "../shared/common.js";

const MOST_SHOWN = 8;

/** Draw the beginning; `begin` is called with the name of whoever begins. */
export function showBeginning(place, begin) {
  const kept = place.querySelector("#name")?.value;
  const drawn = new Beginning(place, begin, kept ?? data.usual_person);
  drawn.load();
}

class Beginning {
  constructor(place, begin, typed) {
    this.begin = begin;
    this.people = [];
    this.input = make("input", {
      id: "name", className: "sf-input", autocomplete: "nickname", spellcheck: false, maxLength: 200,
      value: typed, "aria-describedby": "begin-hint begin-refused", oninput: () => this.draw(),
    });
    this.refused = make("p", { id: "begin-refused", className: "sf-refused", role: "alert" });
    this.meant = make("div", { id: "meant", role: "alert" });
    this.known = make("div", { id: "known" });
    place.hidden = false;
    place.replaceChildren(
      make("img", { className: "sf-avatar sf-large", src: data.picture, alt: "" }),
      make("h2", { textContent: say("web_page.begin.title", { companion: companionName() }) }),
      this.known,
      make(
        "form",
        { onsubmit: (event) => (event.preventDefault(), this.submit()) },
        make("label", { htmlFor: "name", textContent: say("web_page.begin.name") }),
        this.input,
        make("p", { id: "begin-hint", className: "sf-hint", textContent: say("web_page.begin.hint") }),
        this.refused,
        this.meant,
        make("button", { id: "start", type: "submit", className: "sf-button sf-primary", textContent: say("web.start") }),
      ),
    );
  }

  async load() {
    this.people = await ask("beginning/people");
    this.draw();
    if (!this.people.length) this.input.focus();
  }

  /** Whom the typed letters leave to choose from; all at first. */
  draw() {
    this.refused.textContent = "";
    this.meant.replaceChildren();
    const typed = this.input.value.trim().toLocaleLowerCase();
    const those = this.people.filter((it) => it.toLocaleLowerCase().includes(typed));
    const more = those.length - MOST_SHOWN;
    if (!those.length) return this.known.replaceChildren();
    const hint = say("web_page.begin.more", { count: more });
    this.known.replaceChildren(
      make("p", { textContent: say("web_page.begin.known") }),
      make("ul", {}, those.slice(0, MOST_SHOWN).map((name) => make("li", {}, this.person(name)))),
      make("p", { className: "sf-hint", textContent: hint, hidden: more <= 0 }),
    );
  }

  person(name) {
    return make(
      "button",
      { type: "button", className: "sf-button", onclick: () => this.begin(name) },
      icon("portrait"),
      make("span", { textContent: name }),
    );
  }

  async submit() {
    const name = this.input.value.trim();
    if (!name) return this.input.focus();
    try {
      const { person, meant } = await ask("beginning/name", { query: { name } });
      if (!meant.length) return this.begin(person);
      this.askWhom(person, meant);
    } catch (error) {
      this.refused.textContent = error.told?.error ?? say("web_page.unreachable");
      this.input.focus();
    }
  }

  /** "Did you mean Emily?", for emily: a slip would meet a companion that remembers nothing. */
  askWhom(person, meant) {
    this.meant.replaceChildren(
      make("p", { textContent: say("web_page.begin.meant") }),
      make(
        "div",
        { className: "sf-choices" },
        meant.map((name) => this.person(name)),
        make("button", {
          type: "button", className: "sf-button", id: "begin-new",
          textContent: say("web_page.begin.new", { name: person }), onclick: () => this.begin(person),
        }),
      ),
    );
    this.meant.querySelector("button").focus();
  }
}

// The panel of companions: whom one can talk with, and, where one may, making and editing them.
// All that is shown is drawn from the view's state, so that another language draws it anew
// without losing what was typed.

import { here } from "../shared/addresses.js";
import { data, language, make, tell, whoami } from "../shared/common.js";
import { drawEditor, isUnsaved } from "./editor.js";
import { button, call, field, fileButton, portrait, words, writing } from "./parts.js";
import { openDialog } from "../shared/dialog.js";

const FILES = ".png,.json,.charx,image/png,application/json";

/** Fill the place, as soon as its panel is shown. */
export function start(place) {
  const view = new View(place);
  const show = () => here().panel === "companions" && view.show();
  document.addEventListener("sf:panel", show);
  document.addEventListener("sf:person", show);
  document.addEventListener("sf:language", show);
  show();
}

class View {
  constructor(place) {
    this.body = make("div", { className: "sf-companions" });
    place.replaceChildren(this.body);
    this.listed = null;
    this.open = null;
  }

  async show() {
    if (this.open) this.draw();
    else await this.attempt(() => this.refresh());
  }

  /** Do something that may be refused, and say why where it is. */
  async attempt(act) {
    this.body.setAttribute("aria-busy", "true");
    try {
      await act();
    } catch (refused) {
      await openDialog({ title: words("refused"), body: refused.message }).chosen;
    } finally {
      this.body.removeAttribute("aria-busy");
    }
  }

  async refresh() {
    this.listed = await call("GET", "all", { companion: data.companion, person: whoami() });
    this.draw();
  }

  /** Draw anew, with the focus where it was. */
  draw() {
    const before = document.activeElement;
    const isInside = before?.id && this.body.contains(before);
    const marked = isInside && typeof before.selectionStart === "number" && [before.selectionStart, before.selectionEnd];
    this.body.replaceChildren(...(this.open ? drawEditor(this) : this.drawList()));
    if (!isInside) return;
    const after = document.getElementById(before.id);
    after?.focus({ preventScroll: true });
    if (after && marked) after.setSelectionRange(...marked);
  }

  drawList() {
    const { listed } = this;
    return [
      make("h2", { textContent: words("title"), tabIndex: -1, id: "companions-title" }),
      make("p", { className: "sf-hint", textContent: words("about") }),
      !listed.may_edit && make("p", { className: "sf-hint", textContent: words("only_operator") }),
      ...listed.faults.map((it) => make("p", { className: "sf-refused", textContent: it })),
      make("ul", { className: "sf-companion-list" }, listed.companions.map((it) => this.card(it))),
      listed.may_edit && this.beginnings(),
    ].filter(Boolean);
  }

  card(it) {
    const isCurrent = it.name === this.listed.current;
    const title = `companion-${this.listed.companions.indexOf(it)}`;
    const name = it.called;
    return make(
      "li",
      { className: "sf-companion", "aria-labelledby": title, "aria-current": isCurrent && "true" },
      portrait(it.picture, name, it.is_described),
      make(
        "div",
        { className: "sf-companion-words" },
        make("h3", { id: title, textContent: name }),
        isCurrent && make("p", { className: "sf-current", textContent: words("current") }),
        it.greeting && make("blockquote", { textContent: it.greeting }),
        !it.is_described && make("p", { className: "sf-hint", textContent: words("undescribed") }),
        it.entries > 0 && make("p", { className: "sf-hint", textContent: words("entries", { count: it.entries }) }),
        make(
          "div",
          { className: "sf-row" },
          !isCurrent &&
            make("a", {
              className: "sf-button sf-primary",
              href: `./?${new URLSearchParams({ companion: it.name })}#/${data.panels[0]}`,
              textContent: words("talk", { name }),
            }),
          this.listed.may_edit &&
            button(words("edit", { name }), () => this.edit(it.name, !it.is_described)),
        ),
      ),
    );
  }

  beginnings() {
    const samples = this.listed.samples.map(({ name, called }) =>
      button(words("bring", { name: called }), () => this.create(name, true), {
        title: words("sample_about"),
      }),
    );
    return make(
      "div",
      { className: "sf-beginnings" },
      make(
        "div",
        { className: "sf-row" },
        button(words("new"), () => this.askNew(), { id: "companion-new", kind: "primary" }),
        fileButton(words("import"), FILES, (file) => this.import(file), "companion-import"),
        samples,
      ),
      make("p", { className: "sf-hint", textContent: words("import_hint") }),
    );
  }

  async askNew() {
    const name = writing("companion-new-name", "", { maxLength: 60 });
    const chosen = await openDialog({
      title: words("new_title"),
      body: [field(words("new_name"), name, words("new_hint"))],
      actions: [
        { label: words("cancel"), value: null },
        { label: words("create"), value: () => Boolean(name.value.trim()), kind: "primary" },
      ],
    }).chosen;
    if (chosen) await this.create(name.value, false);
  }

  async create(name, sample) {
    await this.attempt(async () => {
      const made = await call("POST", "one", {}, { name, sample });
      if (sample) await this.refresh();
      else await this.edit(made.name);
    });
  }

  /** Open a companion to be edited; one that nobody described yet is begun first. */
  async edit(name, isNew = false) {
    await this.attempt(async () => {
      if (isNew) await call("POST", "one", {}, { name });
      this.open = new Editing(await call("GET", "one", { name }));
      this.draw();
      document.getElementById("companion-title").focus();
    });
  }

  async leave() {
    if (isUnsaved(this.open)) {
      const leaves = await openDialog({
        title: words("unsaved_title"),
        body: words("unsaved_about", { name: this.open.called() }),
        actions: [
          { label: words("stay"), value: null },
          { label: words("leave"), value: true, kind: "danger" },
        ],
      }).chosen;
      if (!leaves) return;
    }
    await this.close();
  }

  async close() {
    this.open = null;
    await this.attempt(() => this.refresh());
    document.getElementById("companions-title").focus();
  }

  /** Take in a file; where there is one of its name already, or it has none, ask what is meant. */
  async import(file, name = "", known = "") {
    let asks = null;
    await this.attempt(async () => {
      try {
        const done = await call("POST", "import", { name, known }, file);
        await this.refresh();
        if (done.unused.length) await showUnused(done);
        else tell(done.told.join(" "));
      } catch (refused) {
        const isAsked = ["companion_exists", "companion_name_missing"].includes(refused.key);
        if (!isAsked) throw refused;
        asks = refused;
      }
    });
    if (asks) await this.askName(file, asks.nameThere);
  }

  async askName(file, there) {
    const other = writing("companion-other-name", "", { maxLength: 60 });
    const chosen = await openDialog({
      title: there ? words("exists_title", { name: there }) : words("new_title"),
      body: [
        there && make("p", { textContent: words("exists_about", { name: there }) }),
        field(words(there ? "exists_other" : "new_name"), other),
      ].filter(Boolean),
      actions: [
        { label: words("cancel"), value: null },
        ...(there ? [{ label: words("exists_add", { name: there }), value: "add" }] : []),
        { label: words("exists_rename"), value: () => (other.value.trim() ? "rename" : false), kind: "primary" },
      ],
    }).chosen;
    if (chosen === "add") await this.import(file, there, "yes");
    if (chosen === "rename") await this.import(file, other.value);
  }
}

/** A companion that is being edited: as it is kept, and as it was typed meanwhile. */
class Editing {
  constructor(kept) {
    this.language = language();
    this.find = "";
    this.entry = null;
    this.take(kept);
    this.draft = structuredClone(kept.texts);
  }

  take(kept) {
    this.kept = kept;
    this.name = kept.name;
  }

  /** What it calls itself in the language of the page. */
  called() {
    return this.kept.texts[language()].called || this.name;
  }
}

function showUnused(done) {
  const list = make("ul", {}, done.unused.map((it) => make("li", { textContent: it })));
  const told = [...done.told, done.unused_about].map((it) => make("p", { textContent: it }));
  return openDialog({ title: words("import_title"), body: [...told, list] }).chosen;
}

// The talk: what the server says of it, drawn; what is typed, sent.
//
// The stream brings the talk whole whenever it has changed, and the words of the running reply
// between; only what differs is drawn. A message is `unsent` until the stream shows it taken.
import { button, make, icon, drawKey, remember, recall } from "./common.js";
import { drawLine, showReply } from "./lines.js";

const data = JSON.parse(document.getElementById("sf-data").textContent);
const words = data.texts;
const MORE = 60;
const RETRY = 1500;
const EMPTY = { id: "", query: "", blocks: [] };

export function start({ element }) {
  const there = element.querySelector(".talk");
  if (!there.childElementCount) new Talk(there);
}

class Talk {
  constructor(root) {
    this.root = root;
    this.key = (name) => `sf-talk:${name}:${data.companion}:${data.person}`;
    this.tab = recall(sessionStorage, "sf-tab") ?? drawKey();
    remember(sessionStorage, "sf-tab", this.tab);
    this.state = { lines: [] };
    this.unsent = recall(sessionStorage, this.key("unsent")) ?? [];
    this.shown = 40;
    this.drawn = new Map(); // by key: {made, told}
    this.seen = recall(localStorage, this.key("seen"));
    this.lay();
    this.follow(true);
    for (const name of ["online", "pageshow"]) addEventListener(name, () => this.wake());
    document.addEventListener("visibilitychange", () => this.wake());
    document.addEventListener("sf:panel", ({ detail }) => detail.panel === "chat" && this.toEnd());
    document.addEventListener("keydown", (event) => this.escape(event));
  }

  lay() {
    this.earlier = button(words.earlier, () => this.showEarlier(), { className: "sf-button", hidden: true });
    this.list = make("div");
    this.chips = make("div", { className: "talk-chips", role: "group", "aria-label": words.chips, hidden: true });
    this.chat = make("div", { id: "chat", className: "talk-chat", tabIndex: 0, role: "log", "aria-live": "off", "aria-label": words.label }, this.earlier, this.list, this.chips);
    this.notices = make("p", { className: "talk-notice", role: "status" });
    this.aloud = make("p", { className: "sf-hidden", role: "status" }); // a reply is read out once, when it is whole
    this.area = make("textarea", { rows: 1, enterKeyHint: "send", autocomplete: "off", placeholder: words.hint, "aria-label": words.message, value: recall(sessionStorage, this.key("draft")) ?? "" });
    this.off = button("", () => this.switchRecord(), { id: "off-record", "aria-pressed": "false", title: words.off_record_hint });
    this.off.append(icon("aside"), make("span", { textContent: words.off_record }));
    this.stop = button(words.stop, () => this.act("stop"), { id: "stop", className: "sf-button", hidden: true });
    this.send = make("button", { id: "send", className: "sf-button sf-primary", textContent: words.send });
    const box = make("form", { className: "talk-box", onsubmit: (event) => (event.preventDefault(), this.submit()) }, this.off, this.area, this.stop, this.send);
    this.area.addEventListener("keydown", (event) => {
      // Enter also ends a word that an input method composes.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      this.submit();
    });
    this.area.addEventListener("input", () => this.typed());
    this.wasAtEnd = true;
    this.chat.addEventListener("scroll", () => (this.wasAtEnd = this.isAtEnd()));
    new ResizeObserver(() => this.wasAtEnd && this.toEnd()).observe(this.chat);
    this.root.setAttribute("aria-label", words.label);
    this.root.append(this.chat, this.notices, this.aloud, box);
    this.typed();
  }

  follow(isFirst = false) {
    this.source?.close();
    const address = new URL("talk/events", document.baseURI);
    const query = { person: data.person, companion: data.companion, tab: this.tab, lines: this.shown, ...(isFirst && { first: 1 }) };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const source = (this.source = new EventSource(address));
    const events = {
      talk: (told) => this.take(told),
      words: (told) => this.hear(told),
      due: ({ blocks }) => { this.opening.blocks = blocks; this.draw(); },
      waits: (told) => this.notice(told.words),
    };
    for (const [name, run] of Object.entries(events)) source.addEventListener(name, ({ data: told }) => run(JSON.parse(told)));
    source.onopen = () => this.isLost && ((this.isLost = false), this.notice(words.connection.back));
    source.onerror = () => this.lose(isFirst && !this.isTaken);
  }

  // The browser tries again by itself, but not after an answer that says no.
  async lose(isFirst) {
    if (!this.isLost) this.notice(words.connection.lost);
    this.isLost = true;
    const { source } = this;
    if (source.readyState !== EventSource.CLOSED) return;
    const answer = await fetch("./config", { method: "HEAD" }).catch(() => null);
    if (answer?.status === 401 || answer?.status === 403) location.reload();
    else setTimeout(() => source === this.source && this.follow(isFirst), RETRY);
  }

  // A tab that is not seen leaves its connection to others; a phone that slept has lost it.
  wake() {
    if (document.hidden) this.source.close();
    else if (this.isTaken) this.follow();
  }

  take(state) {
    // A reply is read out when it first stands whole, though it may never have been seen to run.
    const whole = state.lines.findLast((it) => it.state === "said" && it.response);
    const before = this.state.lines.find((it) => it.key === whole?.key);
    if (this.isTaken && whole && before?.state !== "said") this.aloud.textContent = whole.response;
    if (this.isTaken && !state.busy) document.dispatchEvent(new CustomEvent("sf:changed"));
    this.isTaken = true;
    this.state = state;
    if (state.opening) this.open(state);
    this.unsent = this.unsent.filter((it) => !this.isKnown(it));
    this.draw();
    this.flush();
    const last = state.lines.findLast((it) => it.id);
    if (last && !document.hidden) remember(localStorage, this.key("seen"), last.id);
  }

  // A server that was started anew knows no keys: what stands last on its disk was taken.
  isKnown({ key, words: said, id }) {
    const { lines, taken } = this.state;
    const last = lines.findLast((it) => it.state === "said");
    return taken.includes(key) || (!taken.length && !id && last?.query === said);
  }

  open({ opening, lines }) {
    this.opening = { ...opening, after: lines.at(-1)?.key ?? "" };
    const at = lines.findIndex((it) => it.id === this.seen);
    this.firstNew = at >= 0 && at + 1 < lines.length ? lines[at + 1].key : "";
    this.chips.replaceChildren(...opening.chips.map((said) => button(said, () => this.say(said), { className: "sf-button" })));
    this.chips.hidden = !opening.chips.length || this.state.busy;
    if (opening.model) this.notice(opening.model);
    if (matchMedia("(hover: hover)").matches && document.documentElement.dataset.panel === "chat") this.area.focus();
  }

  // The next words of the running reply; nothing else is drawn.
  hear({ key, blocks }) {
    const line = this.state.lines.find((it) => it.key === key);
    const there = this.drawn.get(key);
    if (!line || !there) return;
    const wasAtEnd = this.wasAtEnd;
    line.blocks = blocks;
    showReply(there.made.querySelector(".said"), line, words, data.name);
    if (wasAtEnd) this.toEnd();
  }

  draw() {
    const { wasAtEnd } = this;
    const wanted = [];
    let day = "";
    const unsent = this.unsent.map(({ key, words: query, off_record }) => ({ ...EMPTY, key, query, off_record, state: "unsent" }));
    const lines = [...this.state.lines, ...unsent];
    if (this.opening?.blocks.length) {
      const at = lines.findIndex((it) => it.key === this.opening.after);
      lines.splice(at + 1, 0, { ...EMPTY, key: "opening", blocks: this.opening.blocks, state: "opening" });
    }
    const last = lines.findLast((it) => it.query);
    const keys = new Set();
    const entry = (key, tag, given) => {
      keys.add(key);
      if (!this.drawn.has(key)) this.drawn.set(key, { made: make(tag, given) });
      wanted.push(this.drawn.get(key).made);
      return this.drawn.get(key);
    };
    for (const line of lines) {
      if (line.date && line.date !== day) entry(`day:${line.date}`, "h2", { className: "talk-separator talk-day", textContent: line.day });
      day = line.date || day;
      if (line.key === this.firstNew) entry("new", "h2", { className: "talk-separator talk-new", textContent: words.since_last_visit });
      const there = entry(line.key, "article", { className: "talk-line" });
      const isLast = line === last && !this.state.busy && !this.unsent.length;
      const told = JSON.stringify([line, isLast]);
      if (there.told !== told) drawLine(there.made, line, isLast, this, data, words);
      there.told = told;
    }
    for (const [key, { made }] of this.drawn) if (!keys.has(key)) { made.remove(); this.drawn.delete(key); }
    wanted.forEach((it, at) => this.list.children[at] !== it && this.list.insertBefore(it, this.list.children[at] ?? null));
    this.earlier.hidden = !this.state.earlier;
    this.stop.hidden = !this.state.lines.some((it) => it.state === "running");
    if (lines.some((it) => it.state === "running" || it.state === "unsent")) this.chips.hidden = true;
    if (wasAtEnd) this.toEnd();
    else if (this.below) this.chat.scrollTop = this.chat.scrollHeight - this.below;
    this.below = 0;
  }

  showEarlier() {
    this.below = this.chat.scrollHeight - this.chat.scrollTop;
    this.shown += MORE;
    this.follow();
  }

  isAtEnd() { return this.chat.scrollHeight - this.chat.scrollTop - this.chat.clientHeight < 80; }
  toEnd() { this.chat.scrollTop = this.chat.scrollHeight; }

  notice(said) { this.notices.textContent = said ?? ""; }

  switchRecord() {
    const isOff = this.off.getAttribute("aria-pressed") !== "true";
    this.off.setAttribute("aria-pressed", String(isOff));
    this.area.placeholder = isOff ? words.off_record_told : words.hint;
    this.typed();
  }

  get isOff() { return this.off.getAttribute("aria-pressed") === "true"; }

  // The last words, to be said otherwise: in the box until they are sent or removed.
  reword({ id, query }) {
    this.area.value = query;
    this.typed();
    this.reworded = id;
    this.notice(words.reword_words);
    this.area.focus();
  }

  typed() {
    if (!this.area.value) this.reworded = "";
    this.area.style.height = "auto";
    this.area.style.height = `${this.area.scrollHeight + 2}px`;
    remember(sessionStorage, this.key("draft"), this.isOff ? null : this.area.value || null);
  }

  submit() {
    const said = this.area.value.trim();
    if (!said) return;
    const id = this.reworded;
    this.area.value = "";
    this.typed();
    this.say(said, { id });
    this.area.focus();
  }

  say(said, { id = "", off_record = this.isOff } = {}) {
    this.notice("");
    this.unsent.push({ key: drawKey(), words: said, off_record, id });
    this.draw();
    this.toEnd();
    this.flush();
  }

  async flush() {
    remember(sessionStorage, this.key("unsent"), this.unsent.filter((it) => !it.off_record));
    if (this.isFlushing) return;
    this.isFlushing = true;
    try {
      for (let it; (it = this.unsent.find((other) => !other.isSent)); ) {
        it.isSent = true;
        const answer = await this.post("say", it);
        if (answer.ok) continue;
        it.isSent = false;
        if (!answer.status) break; // it goes out when the stream is back
        this.unsent = this.unsent.filter((other) => other !== it);
        if (!it.id || !this.state.lines.some((line) => line.query === it.words)) this.giveBack(it.words);
        this.notice(answer.told.message ?? words.connection.refused);
        this.draw();
      }
    } finally {
      this.isFlushing = false;
    }
  }

  giveBack(said) {
    if (!this.area.value.trim()) this.area.value = said;
    this.typed();
  }

  async post(path, body) {
    try {
      const address = `./talk/${path}?${new URLSearchParams({ companion: data.companion })}`;
      const asked = { person: data.person, tab: this.tab, key: "", ...body };
      const answer = await fetch(address, { method: "POST", body: JSON.stringify(asked) });
      if (answer.status === 401 || answer.status === 403) location.reload();
      // A proxy in front of a server that is being started anew answers in its stead.
      if ([502, 503, 504].includes(answer.status)) return { ok: false, told: {} };
      return { ok: answer.ok, status: answer.status, told: await answer.json().catch(() => ({})) };
    } catch {
      return { ok: false, told: {} };
    }
  }

  async act(path, body = {}) {
    const { ok, told } = await this.post(path, body);
    this.notice(told.message ?? (ok ? "" : words.connection.lost));
    if (told.words) this.giveBack(told.words);
    return ok;
  }

  escape(event) {
    if (event.key !== "Escape" || event.isComposing || this.stop.hidden || document.querySelector("dialog[open], :popover-open")) return;
    if (document.documentElement.dataset.panel === "chat") this.act("stop");
  }
}

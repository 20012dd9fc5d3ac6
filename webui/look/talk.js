// The talk: shows the exchanges that the server draws, and sends messages.
import { arrange, checkLogIn, copyWords, drawKey, fill, make, morph, pageData as data, parse, recall, remember } from "./common.js";

const words = data.texts;
const MORE = 60;
const RETRY = 1500;

export const startTalk = (root) => new Talk(root);

class Talk {
  constructor(root) {
    this.key = (name) => `sf-talk:${name}:${data.companion}:${data.person}`;
    this.tab = recall(sessionStorage, "sf-tab") ?? drawKey();
    remember(sessionStorage, "sf-tab", this.tab);
    this.seen = recall(localStorage, this.key("seen")) ?? "";
    this.heard = new Set(); // keys of the exchanges whose replies are whole
    this.drawn = new Map(); // elements by key
    this.outbox = []; // what is sent, one after the other
    this.sent = new Map(); // accepted messages by key, until they are stored
    this.shown = 40;
    this.lay(root);
    this.follow();
    for (const name of ["online", "pageshow", "visibilitychange"]) addEventListener(name, () => this.wake());
    document.addEventListener("sf:panel", ({ detail }) => detail === "chat" && (this.toEnd(), this.rest()));
    document.addEventListener("keydown", (event) => this.escape(event));
    this.list.addEventListener("click", ({ target, detail }) => {
      const act = target.closest("[data-act]");
      if (act && detail < 2) this.do(act.dataset.act, act.closest("article"), act); // a double click is one
    });
  }

  lay(root) {
    for (const each of root.querySelectorAll("[data-part]")) this[each.dataset.part] = each;
    this.area.value ||= recall(sessionStorage, this.key("draft")) ?? ""; // unless words were typed already
    this.earlier.onclick = () => this.showEarlier();
    this.chips.onclick = ({ target }) => target.matches("button") && this.say(target.textContent);
    this.off.onclick = () => this.switchRecord();
    this.on.onclick = () => (this.switchRecord(false), this.area.focus());
    addEventListener("storage", ({ key }) => key === this.key("off") && this.showRecord());
    this.stop.onclick = () => this.act("stop");
    this.box.onsubmit = (event) => (event.preventDefault(), this.submit());
    this.area.addEventListener("keydown", (event) => {
      // Enter also ends a word that an input method composes.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      this.submit();
    });
    this.area.addEventListener("input", () => this.typed());
    this.showRecord();
    this.wasAtEnd = true;
    this.chat.onblur = () => delete this.chat.dataset.quiet;
    this.newest.onclick = () => (this.toEnd(), this.rest());
    this.chat.addEventListener("scroll", () => {
      const below = this.chat.scrollHeight - this.chat.scrollTop - this.chat.clientHeight;
      this.wasAtEnd = below < 80;
      this.newest.hidden = below < this.chat.clientHeight / 2;
    });
    // Scroll details that were opened in the newest reply into view.
    this.list.addEventListener("toggle", ({ target }) => target.open && target.scrollIntoView({ block: "nearest" }), true);
    document.addEventListener("click", (event) => {
      const hit = event.target.closest?.("[data-turn]");
      if (!hit) return;
      event.preventDefault();
      if (document.documentElement.dataset.panel !== "chat") location.hash = "#/chat";
      document.querySelector("#search dialog")?.close();
      setTimeout(() => this.goTo(hit.dataset.turn, Number(hit.dataset.back)), 50);
    });
    const sized = new ResizeObserver(() => this.wasAtEnd && this.toEnd());
    for (const each of [this.chat, this.list, this.chips, this.start]) sized.observe(each);
    this.typed();
  }

  follow() {
    this.source?.close();
    const asked = { person: data.person, companion: data.companion, tab: this.tab, lines: this.shown, seen: this.seen };
    const source = (this.source = new EventSource(`./talk/events?${new URLSearchParams(asked)}`));
    source.addEventListener("talk", ({ data: told }) => this.take(JSON.parse(told)));
    source.addEventListener("line", ({ data: told }) => this.hear(...JSON.parse(told)));
    source.onopen = () => {
      if (this.isLost) this.notice(words.connection.back);
      [this.isBack, this.isLost] = [this.isLost, false];
    };
    source.onerror = () => this.lose();
  }

  // The browser reconnects by itself, but not after an error status.
  async lose() {
    if (!this.isLost) this.notice(words.connection.lost);
    this.isLost = true;
    const { source } = this;
    if (source.readyState !== EventSource.CLOSED) return;
    await checkLogIn();
    setTimeout(() => source === this.source && this.follow(), RETRY);
  }

  // A hidden tab closes its connection; a phone loses it while asleep.
  wake() {
    if (document.hidden) this.source.close();
    else if (this.isTaken || this.source.readyState === EventSource.CLOSED) this.follow();
  }

  take({ lines, earlier, busy, taken }) {
    const held = document.activeElement;
    this.draw(lines);
    if (!this.isTaken) {
      [this.chips.hidden, this.start.hidden] = [false, !this.start.firstChild];
      this.toEnd();
      this.rest();
    }
    this.earlier.hidden = !earlier;
    this.stop.hidden = !this.list.querySelector("[data-state=running]");
    if (!held.checkVisibility()) held === this.earlier ? this.chat.focus() : this.rest();
    if (busy) this.chips.hidden = this.start.hidden = true;
    // Screen readers hear a reply once, when it is complete.
    const whole = [...this.list.querySelectorAll("article:not([data-state=running], [data-state=opening])")].filter((each) => each.querySelector(".said"));
    const newest = whole.at(-1);
    if (this.isTaken && newest && !this.heard.has(newest.key)) this.aloud.textContent = newest.querySelector(".said").textContent;
    this.heard = new Set(whole.map((each) => each.key));
    if (this.isTaken && !busy) document.dispatchEvent(new CustomEvent("sf:changed"));
    this.isTaken = true;
    this.goal?.();
    // A message may have arrived although its response was lost; a restarted server knows no keys.
    const own = [...this.list.querySelectorAll(".user")].map((each) => each.textContent);
    const { key, words: said } = this.untaken ?? {};
    if (key && (taken.includes(key) || (!taken.length && own.at(-1) === said))) {
      if (`${this.area.value}\n`.startsWith(`${said}\n`)) this.area.value = this.area.value.slice(said.length + 1);
      this.untaken = null;
      this.typed();
    }
    // A restarted server has lost messages that were received and not stored: give them back.
    for (const key of this.sent.keys()) if (this.drawn.get(key)?.dataset.id) this.sent.delete(key);
    const gone = [...this.sent.values()].filter((each) => !own.slice(-this.sent.size).includes(each));
    if (this.isBack && !taken.length && gone.length) this.giveBack(gone.join("\n"));
    if (this.isBack) this.sent.clear();
    this.isBack = false;
    const last = [...this.list.querySelectorAll("article")].findLast((each) => each.dataset.id);
    if (last && !document.hidden) remember(localStorage, this.key("seen"), last.dataset.id);
  }

  // Focus the input box; on a touch screen the talk, so that no keyboard opens.
  rest() {
    if (document.documentElement.dataset.panel !== "chat") return;
    if (matchMedia("(hover: hover)").matches) return this.area.focus();
    this.chat.dataset.quiet = ""; // hides the focus ring
    this.chat.focus();
  }

  // Shows the next words of the running reply.
  hear(key, place, html) {
    const { wasAtEnd } = this;
    const line = this.drawn.get(key);
    const block = line?.querySelector(".md-block");
    if (place < 0) line && morph(line, parse(html).firstChild);
    else if (block) fill(block, make("div", {}, [...block.children].slice(0, place), ...parse(html).childNodes));
    if (wasAtEnd) this.toEnd();
  }

  // Shows all exchanges: the key of each, and its HTML if it has changed.
  draw(lines) {
    const { wasAtEnd } = this;
    const drawn = lines.map(([key, html]) => [key, html ? Object.assign(morph(this.drawn.get(key), parse(html).firstChild), { key }) : this.drawn.get(key)]);
    this.drawn = new Map(drawn);
    arrange(this.list, [...this.drawn.values()]);
    if (wasAtEnd) this.toEnd();
    else if (this.below) this.chat.scrollTop = this.chat.scrollHeight - this.below;
    this.below = 0;
  }

  showEarlier() {
    this.below = this.chat.scrollHeight - this.chat.scrollTop;
    this.shown += MORE;
    this.follow();
  }

  // Scrolls to an exchange, after loading enough earlier ones.
  goTo(id, back) {
    const find = () => [...this.list.querySelectorAll("article")].find((each) => each.dataset.id === id);
    this.goal = () => {
      const line = find();
      if (!line) return;
      this.goal = null;
      this.wasAtEnd = false;
      line.scrollIntoView({ block: "center" });
      line.tabIndex = -1;
      line.focus({ preventScroll: true });
      line.classList.add("is-found");
      setTimeout(() => line.classList.remove("is-found"), 3000);
    };
    if (find() || back > 1950) return this.goal();
    this.shown = Math.max(this.shown, back + 10);
    this.follow();
  }

  toEnd() { this.chat.scrollTop = this.chat.scrollHeight; }

  notice(said) { this.notices.textContent = said ?? ""; }

  // Off the record applies to every tab of this browser until the person ends it.
  get isOff() { return recall(localStorage, this.key("off")) ?? Boolean(this.isOffHere); }

  switchRecord(isOff = !this.isOff) {
    this.isOffHere = isOff; // for a browser without storage
    remember(localStorage, this.key("off"), isOff);
    this.showRecord();
    this.typed();
  }

  showRecord() {
    this.off.setAttribute("aria-pressed", String(this.isOff));
    this.banner.hidden = !this.isOff;
    this.area.placeholder = this.isOff ? words.off_record_told : words.hint;
  }

  // Runs the action of a button in an exchange.
  do(act, line, pressed) {
    const { id } = line.dataset;
    const own = line.querySelector(".user")?.textContent;
    const off_record = this.isOff || (!id && line.classList.contains("is-aside"));
    if (act === "copy_code") copyWords(pressed.parentElement.querySelector("code").innerText).then(() => this.notice(words.copied));
    else if (act === "copy") copyWords(line.querySelector(".said").innerText).then(() => this.notice(words.copied));
    else if (act === "again") this.say(id ? "" : own, { id, off_record });
    else if (act === "go_on") this.say(words.go_on_words, { off_record });
    else if (act === "reword") this.reword(id, own);
    else if (act === "undo") this.act("undo", { id });
    else this.act("mark", { id, unkept: act === "unkeep" });
  }

  // Puts the last message into the box, until it is sent or removed.
  reword(id, own) {
    if (!this.reworded) this.draft = this.area.value; // comes back after it
    this.area.value = own;
    this.typed();
    this.reworded = id;
    this.notice(words.reword_words);
    this.area.focus();
  }

  typed() {
    if (!this.area.value) [this.area.value, this.reworded, this.draft] = [this.draft ?? "", "", ""];
    this.area.style.height = "auto";
    if (this.area.value) this.area.style.height = `${this.area.scrollHeight + 2}px`;
    remember(sessionStorage, this.key("draft"), this.isOff ? null : this.area.value || null);
  }

  submit() {
    const said = this.area.value.trim();
    if (!said) return;
    const id = this.reworded;
    this.area.value = this.draft ?? "";
    this.reworded = this.draft = "";
    this.area.focus();
    this.say(said, { id });
  }

  // A message that is not accepted returns to the box and keeps its key, so it is stored once.
  say(said, { id = "", off_record = this.isOff } = {}) {
    this.notice("");
    if (this.chips.contains(document.activeElement)) this.rest();
    this.chips.hidden = this.start.hidden = true;
    remember(localStorage, this.key("seen"), (this.seen = "")); // answering marks everything above as seen
    this.toEnd();
    const key = this.untaken?.words === said ? this.untaken.key : drawKey();
    if (this.outbox.push({ key, words: said, off_record, id }) === 1) this.deliver();
  }

  async deliver() {
    const { key, words: said, off_record, id } = (this.untaken = this.outbox[0]);
    const { ok, told } = await this.post("say", this.untaken);
    // The stream may have confirmed it although the response was lost.
    if (!ok && this.untaken) {
      this.notice(told.message ?? words.connection.refused);
      return this.giveBack(this.outbox.splice(0).map((each) => each.words).join("\n"), id);
    }
    this.untaken = null;
    if (!id && !off_record) this.sent.set(key, said);
    this.typed();
    this.outbox.shift();
    if (this.outbox.length) this.deliver();
  }

  giveBack(said, id = "") {
    if (!this.area.value.trim()) [this.area.value, this.reworded] = ["", id];
    this.area.value = [said, this.area.value].filter((each) => each).join("\n");
    this.typed();
  }

  async post(path, body) {
    try {
      const address = `./talk/${path}?${new URLSearchParams({ companion: data.companion })}`;
      const asked = JSON.stringify({ person: data.person, tab: this.tab, key: "", ...body });
      const answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: asked });
      checkLogIn(answer);
      return { ok: answer.ok, told: await answer.json().catch(() => ({})) };
    } catch {
      return { ok: false, told: {} };
    }
  }

  async act(path, body = {}) {
    const { ok, told } = await this.post(path, body);
    this.notice(told.message ?? (ok ? "" : words.connection.lost));
    if (told.words) this.giveBack(told.words), this.area.focus();
  }

  escape(event) {
    if (event.key !== "Escape" || event.isComposing || this.stop.hidden || document.querySelector("dialog[open], :popover-open")) return;
    if (document.documentElement.dataset.panel === "chat") this.act("stop");
  }
}

// One exchange: the person's words as typed, the reply, why it was said, and what can be done.
import { button, copyWords, fill, icon, make } from "./common.js";

/** Draws a line anew; `talk` does what is chosen in its menu. */
export function drawLine(made, line, isLast, talk, data, words) {
  const isOpen = made.querySelector(".talk-why")?.open;
  const focused = made.contains(document.activeElement);
  made.dataset.state = line.state;
  made.dataset.id = line.id;
  made.classList.toggle("is-aside", Boolean(line.off_record || line.unkept));
  const said = made.querySelector(".said") ?? make("div", { className: "said" });
  const bot = make("div", { className: "bot" }, said, line.why?.length && why(line.why, words, isOpen));
  const avatar = make("img", { className: "sf-avatar", src: data.picture, alt: "" });
  const acts = line.state === "said" ? menu(line, isLast, talk, words) : [];
  const theirs = make("div", { className: "talk-theirs", hidden: !line.blocks.length && line.state !== "running" }, avatar, bot, acts);
  showReply(said, line, words, data.name);
  made.replaceChildren(...[line.query && mine(line, words), theirs, endOf(line, isLast, talk, words)].filter(Boolean));
  if (focused && !made.contains(document.activeElement)) made.querySelector(".sf-menu")?.focus({ preventScroll: true });
}

/** Draws the reply of a line: of its HTML only the blocks that changed. */
export function showReply(said, line, words, name) {
  if (!line.blocks.length) {
    const dots = make("span", { className: "talk-dots", "aria-hidden": "true" }, make("i"), make("i"), make("i"));
    said.replaceChildren(make("p", { className: "talk-thinking" }, dots, fill(words.thinking, { companion: name })));
    return;
  }
  while (said.childNodes.length > line.blocks.length) said.lastChild.remove();
  line.blocks.forEach((html, at) => {
    const there = said.children[at];
    if (there?.source === html) return;
    const block = make("div", { className: "md-block", innerHTML: html }); // made safe by the server
    block.source = html;
    for (const wide of block.querySelectorAll("pre, table")) {
      const frame = make("div", { className: "md-wide", tabIndex: 0, role: "region", "aria-label": words[wide.localName === "pre" ? "code" : "table"] });
      wide.replaceWith(frame);
      frame.append(wide);
    }
    if (there) there.replaceWith(block);
    else said.append(block);
  });
}

function mine(line, words) {
  const marks = [
    line.off_record && words.off_record_mark,
    line.unkept && words.unkept_mark,
    words[line.state],
    line.clock,
  ].filter(Boolean);
  return make("div", { className: "talk-mine" }, make("span", { className: "talk-marks" }, marks.join(" · ")), make("p", { className: "user", textContent: line.query }));
}

function menu(line, isLast, talk, words) {
  const acts = { copy: () => copyWords(line.response).then(() => talk.notice(words.copied)) };
  if (line.id) acts[line.unkept ? "rekeep" : "unkeep"] = () => talk.act("mark", { id: line.id, unkept: !line.unkept });
  if (isLast && line.id) {
    acts.again = () => talk.say(line.query, { id: line.id });
    acts.reword = () => talk.reword(line);
    acts.undo = () => talk.act("undo", { id: line.id });
  }
  const id = `menu-${line.key}`;
  const items = Object.entries(acts).map(([name, run]) => button(words.acts[name], run, { "data-line-act": name, popovertarget: id, popovertargetaction: "hide" }));
  const opener = button("", null, { className: "sf-menu", popovertarget: id, "aria-label": fill(words.menu, { words: line.query.slice(0, 40) }) });
  opener.append(icon("more"));
  return [opener, make("div", { id, className: "sf-menu-items", popover: "auto" }, items)];
}

/** The memories that mattered most, one line each, with its day; the numbers folded. */
function why(memories, words, isOpen) {
  const items = memories.map((it) => make("li", {}, make("a", { href: `#/memories?day=${it.date}`, textContent: it.day }), ` ${it.words}`));
  const numbers = make("details", {}, make("summary", { textContent: words.why_numbers }), make("p", { textContent: memories.map((it) => it.score).join(" · ") }));
  return make("details", { className: "talk-why", open: Boolean(isOpen) }, make("summary", { textContent: words.why }), make("ul", {}, items), numbers);
}

function endOf(line, isLast, talk, words) {
  const told = [line.trouble && `⚠ ${line.trouble}`, line.state === "said" && words.end[line.end]].filter(Boolean);
  if (!told.length) return null;
  const isOver = !isLast || line.end === "whole" || line.end === "taken_out";
  const { id, off_record } = line;
  return make("p", { className: "talk-end" }, told.join(" "),
    !isOver && line.response && button(words.go_on, () => talk.say(words.go_on_words, { off_record }), { className: "sf-link" }),
    !isOver && (id || !line.response) && button(words.acts.again, () => talk.say(line.query, { id, off_record }), { className: "sf-link" }));
}

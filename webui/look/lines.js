// One exchange: the person's words as typed, the reply, why it was said, and what can be done.
import { copyWords, fill, icon, make } from "./common.js";

/** Draws a line anew; `talk` does what is chosen in its menu. */
export function drawLine(made, line, isLast, talk, data, words) {
  const isOpen = made.querySelector(".talk-why")?.open;
  const focused = made.contains(document.activeElement);
  made.dataset.state = line.state;
  made.dataset.id = line.id;
  made.classList.toggle("is-aside", Boolean(line.off_record || line.unkept));
  const avatar = make("img", { className: "sf-avatar", src: data.picture, alt: "" });
  const bot = make("div", { className: "bot" });
  const theirs = make("div", { className: "talk-theirs", hidden: line.state === "waiting" || line.state === "unsent" || (!line.response && !line.blocks?.length && line.state !== "running") }, avatar, bot, menu(line, isLast, talk, words));
  made.replaceChildren(...[line.query && mine(line, words), theirs, endOf(line, isLast, talk, words)].filter(Boolean));
  showReply(made, line, words, data.name);
  if (line.why.length && line.state !== "opening") bot.append(why(line.why, words, isOpen));
  if (focused && !made.contains(document.activeElement)) made.querySelector("summary")?.focus({ preventScroll: true });
}

/** Draws the reply of a line; of HTML only the blocks that changed. */
export function showReply(made, line, words, name) {
  const bot = made.querySelector(".bot");
  if (!bot) return;
  const said = bot.querySelector(".said") ?? make("div", { className: "said" });
  if (!said.isConnected) bot.prepend(said);
  const isWaiting = line.state === "running" && !line.response && !line.blocks?.length;
  if (isWaiting) {
    said.replaceChildren(make("p", { className: "talk-thinking" }, make("span", { className: "talk-dots", "aria-hidden": "true" }, make("i"), make("i"), make("i")), make("span", { textContent: fill(words.thinking, { companion: name }) })));
  } else if (!line.blocks) {
    if (said.textContent !== line.response || said.childElementCount) said.textContent = line.response;
  } else {
    if (said.querySelector(".talk-thinking")) said.replaceChildren();
    showBlocks(said, line.blocks, words);
  }
}

function showBlocks(place, blocks, words) {
  while (place.childNodes.length > blocks.length) place.lastChild.remove();
  blocks.forEach((html, at) => {
    const there = place.children[at];
    if (there?.source === html) return;
    const block = make("div", { className: "md-block", innerHTML: html }); // made safe by the server
    block.source = html;
    block.querySelectorAll("pre, table").forEach((wide) => {
      const frame = make("div", { className: "md-wide", tabIndex: 0, role: "region", "aria-label": words[wide.localName === "pre" ? "code" : "table"] });
      wide.replaceWith(frame);
      frame.append(wide);
    });
    if (there) there.replaceWith(block);
    else place.append(block);
  });
}

function mine(line, words) {
  const marks = [
    line.off_record && words.off_record_mark,
    line.unkept && words.unkept_mark,
    line.state === "waiting" && words.waiting,
    line.state === "unsent" && words.unsent,
    line.clock,
  ].filter(Boolean);
  return make("div", { className: "talk-mine" }, make("span", { className: "talk-marks" }, marks.join(" · ")), make("p", { className: "user", textContent: line.query }));
}

function menu(line, isLast, talk, words) {
  if (line.state !== "said") return null;
  const acts = [["copy", () => copyWords(line.response).then(() => talk.notice(words.copied))]];
  if (line.id) acts.push([line.unkept ? "rekeep" : "unkeep", () => talk.act("mark", { id: line.id, unkept: !line.unkept })]);
  if (isLast && line.id) {
    acts.push(["again", () => talk.say(line.query, { id: line.id })]);
    acts.push(["reword", () => talk.reword(line)]);
    acts.push(["undo", () => talk.act("undo", { id: line.id })]);
  }
  const summary = make("summary", { "aria-label": fill(words.menu, { words: line.query.slice(0, 40) }) }, icon("more"));
  const details = make("details", { className: "sf-menu" }, summary);
  details.append(make("div", { className: "sf-menu-items" }, acts.map(([name, run]) => make("button", {
    type: "button", textContent: words.acts[name], "data-line-act": name, onclick: run,
  }))));
  return details;
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
  const made = make("p", { className: "talk-end", textContent: told.join(" ") });
  if (!isLast || line.end === "whole" || line.end === "taken_out") return made;
  const button = (label, run) => make("button", { type: "button", className: "sf-link", textContent: label, onclick: run });
  if (line.response) made.append(button(words.go_on, () => talk.say(words.go_on_words, { off_record: line.off_record })));
  if (line.id) made.append(button(words.acts.again, () => talk.say(line.query, { id: line.id })));
  return made;
}

// Speaking instead of writing, and hearing replies, by what the browser itself brings for it. Both
// are off until they are switched on, where it is said to whom the sound goes.

import { icon, make, say, tell } from "../shared/common.js";
import { openDialog } from "../shared/dialog.js";
import { talk } from "../talk/talk.js";
import { canListen, Listening } from "./listening.js";
import { canSpeak, Speaking } from "./speaking.js";

const KEPT = "sf-voice";
const kept = () => JSON.parse(localStorage.getItem(KEPT) ?? "{}");
const speaking = new Speaking(draw);
const listening = new Listening(talk.box, draw, (key) => tell(say(`web_page.voice.${key}`)));

const settings = toolButton("voice-settings", "voice-out", "", openSettings);
const place = make("div", { className: "sf-voice" }, settings);

function toolButton(name, drawn, label, act, more = {}) {
  return make("button", { type: "button", id: name, className: "sf-quiet-button", "aria-label": label, title: label, onclick: act, ...more }, icon(drawn));
}

function draw() {
  settings.hidden = !canListen && !canSpeak;
  if (settings.hidden) return;
  const words = (key) => say(`web_page.voice.${key}`);
  const on = kept();
  const buttons = [];
  settings.title = words("title");
  settings.setAttribute("aria-label", words("title"));
  if (speaking.isSpeaking) buttons.push(toolButton("voice-hush", "stop", words("hush"), () => speaking.stop()));
  if (on.listen && canListen) {
    const label = words(listening.isListening ? "stop" : "speak");
    buttons.push(toolButton("voice-speak", "voice-in", label, () => listening.toggle(), { "aria-pressed": String(listening.isListening) }));
  }
  const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
  while (place.firstChild !== settings) place.firstChild.remove();
  settings.before(...buttons);
  if (focused) (document.getElementById(focused) ?? settings).focus();
}

function choice(name, isThere, label, about) {
  if (!isThere) return null;
  const change = ({ target }) => {
    localStorage.setItem(KEPT, JSON.stringify({ ...kept(), [name]: target.checked }));
    if (!target.checked) (name === "listen" ? listening : speaking).stop();
    draw();
  };
  return make(
    "div",
    { className: "sf-choice" },
    make("label", {}, make("input", { type: "checkbox", id: `voice-${name}`, checked: Boolean(kept()[name]), "aria-describedby": `voice-${name}-about`, onchange: change }), make("span", { textContent: label })),
    make("p", { id: `voice-${name}-about`, className: "sf-hint", textContent: about }),
  );
}

function openSettings() {
  const words = (key) => say(`web_page.voice.${key}`);
  const body = [
    choice("listen", canListen, words("listen"), words("listen_about")),
    choice("read", canSpeak, words("read"), words("read_about")),
  ];
  openDialog({ id: "voice-dialog", title: words("title"), body: body.filter(Boolean) });
}

// A reply that is whole is put there for whoever hears the page; it is read out from there.
new MutationObserver(() => {
  if (kept().read && canSpeak) speaking.say(talk.aloud.textContent);
}).observe(talk.aloud, { childList: true, characterData: true, subtree: true });

talk.box.root.append(place);
document.addEventListener("sf:language", draw);
document.addEventListener("sf:person", () => {
  speaking.stop();
  listening.stop();
});
draw();

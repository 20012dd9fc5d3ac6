// What is done to a memory once it was chosen in its menu, wherever it is shown. What can be undone
// is done at once and says so with a way back; erasing asks first; correcting opens a dialog.
// Whatever changed is announced as sf:memories, for every view that shows memories.

import { announce, ask, data, language, make, say, tell, whoami } from "../shared/common.js";
import { confirm, openDialog } from "../shared/dialog.js";

const SHORT = 40;
const asked = (more) => ({ person: whoami(), companion: data.companion, ...more });

async function post(path, body) {
  return ask(`./memories/${path}`, { method: "POST", body: { language: language(), ...asked(body) } });
}

function changed(act, id) {
  announce("sf:memories", { act, ids: id.split(" ") });
}

async function actAtOnce(act, id) {
  const { told, undo } = await post("act", { act, id });
  changed(act, id);
  tell(told, undo && { label: say("web_panels.undo"), act: () => guarded(() => actAtOnce(undo, id)) });
}

async function erase(id) {
  const { words, response } = await ask("./memories/words", { query: asked({ id }) });
  const short = [...words].length > SHORT ? `${[...words].slice(0, SHORT).join("")}…` : words;
  const sure = await confirm({
    title: say("web_panels.erase.title"),
    body: [
      make("p", { textContent: say("web.sure_erase") }),
      make("blockquote", { className: "sf-erased-words", textContent: [words, response].filter(Boolean).join("\n") }),
    ],
    yes: say("web.sure"),
    name: say("web_panels.erase.named", { label: say("web.sure"), words: short }),
    no: say("web.keep"),
    id: "sf-erase",
  });
  if (!sure) return;
  const { told } = await post("erase", { id });
  changed("erase", id);
  tell(told);
}

function field(label, value, id) {
  const area = make("textarea", { className: "sf-input", id, rows: 4, value });
  return make("label", { className: "sf-field" }, make("span", { textContent: label }), area);
}

async function correct(id) {
  const { words, response } = await ask("./memories/words", { query: asked({ id }) });
  const isLine = response !== null;
  const refused = make("p", { className: "sf-refused", role: "alert" });
  const first = field(say(isLine ? "web.words" : "web.right_words"), words, "sf-words");
  const second = isLine ? field(say("web.reply_words"), response, "sf-reply-words") : null;
  const save = async (dialog) => {
    const [given, reply] = [...dialog.querySelectorAll("textarea")].map((it) => it.value);
    try {
      const { told } = await post("edit", { id, words: given, response: reply ?? "" });
      changed("edit", id);
      tell(told);
      return true;
    } catch (error) {
      refused.textContent = error.told?.message ?? error.message;
      return false;
    }
  };
  await openDialog({
    title: say("web_panels.correct"),
    body: [first, second, refused].filter(Boolean),
    actions: [
      { label: say("web.cancel"), value: null },
      { label: say("web.save"), value: save, kind: "primary" },
    ],
    id: "sf-correct",
  });
}

async function guarded(work) {
  try {
    await work();
  } catch (error) {
    tell(error.told?.message ?? say("web_panels.unreachable"));
  }
}

document.addEventListener("sf:act", ({ detail: { act, id } }) => {
  if (act === "erase") guarded(() => erase(id));
  else if (act === "edit" || act === "correct") guarded(() => correct(id));
  else guarded(() => actAtOnce(act, id));
});

// Reads replies out, by the browser's own synthesis, with a voice of this device where it has one.

const synthesis = window.speechSynthesis;
export const canSpeak = Boolean(synthesis && window.SpeechSynthesisUtterance);

/** Some browsers fall silent in the middle of what takes longer than a quarter of a minute. */
const LONGEST = 180;

export class Speaking {
  /** `changed` is called when it begins or ends. */
  constructor(changed) {
    this.changed = changed;
    this.left = 0;
  }

  get isSpeaking() {
    return this.left > 0;
  }

  say(words) {
    this.stop();
    const parts = sentences(words);
    this.left = parts.length;
    for (const part of parts) synthesis.speak(this.utterance(part));
    if (parts.length) this.changed();
  }

  utterance(words) {
    const made = new SpeechSynthesisUtterance(words);
    made.lang = /\p{Script=Han}/u.test(words) ? "zh-CN" : "en-US";
    const fitting = synthesis.getVoices().filter((it) => it.lang.replace("_", "-").startsWith(made.lang.slice(0, 2)));
    const voice = fitting.find((it) => it.localService) ?? fitting[0];
    if (voice) made.voice = voice;
    const turn = this.turn;
    made.onend = made.onerror = () => turn === this.turn && this.end();
    return made;
  }

  end() {
    this.left -= 1;
    if (!this.left) this.changed();
  }

  stop() {
    if (!this.left) return;
    this.turn = (this.turn ?? 0) + 1;
    this.left = 0;
    synthesis.cancel();
    this.changed();
  }
}

/** A mark of Markdown that opens or closes: a gap in its place would be heard in Chinese. */
const EDGE_MARKS = /(?<![a-z0-9])[*_`]+|[*_`]+(?![a-z0-9])/gi;

/** The words without the marks of Markdown, in sentences put together to what is spoken at once. */
function sentences(words) {
  const plain = words.replace(EDGE_MARKS, "").replace(/[*_`#>|]+/g, " ").replace(/\s+/g, " ").trim();
  const parts = [];
  for (const sentence of plain.match(/[^.!?。！？…]+[.!?。！？…]*["”’」』]*\s*/g) ?? []) {
    const last = parts.length - 1;
    if (last >= 0 && parts[last].length + sentence.length <= LONGEST) parts[last] += sentence;
    else parts.push(sentence);
  }
  return parts;
}

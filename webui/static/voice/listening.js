// Writes into the message box what is spoken, by the browser's own recognition.

import { language } from "../shared/common.js";

const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;
export const canListen = Boolean(Recognition);

const FAILURES = { "not-allowed": "not_allowed", "service-not-allowed": "not_allowed", "audio-capture": "no_microphone", network: "no_network" };

export class Listening {
  /** `box` is written into, `changed` is called when it begins or ends, `failed` with what went wrong. */
  constructor(box, changed, failed) {
    this.box = box;
    this.changed = changed;
    this.failed = failed;
    this.heard = null;
  }

  get isListening() {
    return this.heard !== null;
  }

  toggle() {
    if (this.isListening) this.stop();
    else this.start();
  }

  start() {
    const heard = new Recognition();
    heard.lang = language() === "cn" ? "zh-CN" : "en-US";
    heard.continuous = true;
    heard.interimResults = true;
    this.before = this.box.words;
    this.written = this.before;
    this.from = 0;
    heard.onresult = (event) => this.heard === heard && this.write(event.results);
    heard.onerror = ({ error }) => this.heard === heard && FAILURES[error] && this.failed(FAILURES[error]);
    heard.onend = () => this.heard === heard && this.end();
    this.heard = heard;
    heard.start();
    this.changed();
  }

  write(results) {
    const all = [...results];
    // Sent or changed by hand meanwhile: what was heard before belongs to that, and not to the next.
    if (this.box.words !== this.written) {
      this.before = this.box.words;
      this.from = all.length - 1;
    }
    const spoken = all.slice(this.from).map((it) => it[0].transcript).join("").trim();
    const gap = this.before && language() !== "cn" && !/\s$/.test(this.before) ? " " : "";
    this.box.put(this.before + gap + spoken);
    this.written = this.box.words;
  }

  stop() {
    if (!this.heard) return;
    const heard = this.heard;
    this.end();
    heard.stop();
  }

  end() {
    this.heard = null;
    this.changed();
  }
}

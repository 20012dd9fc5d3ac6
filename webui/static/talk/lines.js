// Draws lines. A person's words are always text; an answer is HTML only where the server gives it
// as `blocks`, which it has made safe.

import {data} from '../shared/common.js';
import {actionsFor, beforesOf, decorate, tellDrawn} from './extend.js';
import {items} from './items.js';
import {showBlocks} from './reply_html.js';

export function element(tag, className, words) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (words !== undefined) made.textContent = words;
    return made;
}

export function button(words, run, className = '') {
    const made = element('button', `talk-button ${className}`.trim(), words);
    made.type = 'button';
    made.addEventListener('click', run);
    return made;
}

export function fill(words, values) {
    return words.replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));
}

export class Lines {
    constructor(view, root, scroller) {
        this.view = view;
        this.root = root;
        this.scroller = scroller;
        this.drawn = new Map(); // by key: {element, told}
    }

    draw() {
        const {view, root} = this;
        const wasAtEnd = this.isAtEnd();
        const wanted = [];
        const seen = new Set();
        let before = null;
        for (const line of items(view)) {
            for (const it of beforesOf(line, before, view)) {
                wanted.push(this.once(`before:${it.key}`, it.draw, seen));
            }
            wanted.push(this.line(line, seen));
            before = line;
        }
        for (const [key, it] of this.drawn) {
            if (!seen.has(key)) { it.element.remove(); this.drawn.delete(key); }
        }
        wanted.forEach((it, at) => {
            if (root.children[at] !== it) root.insertBefore(it, root.children[at] || null);
        });
        if (wasAtEnd && !view.past) this.toEnd();
        tellDrawn(view);
    }

    once(key, draw, seen) {
        seen.add(key);
        if (!this.drawn.has(key)) this.drawn.set(key, {element: draw()});
        return this.drawn.get(key).element;
    }

    line(line, seen) {
        // The element of a message becomes that of its turn, so that nothing flickers at the end.
        const key = line.id || `key:${line.key}`;
        if (line.id && line.key && this.drawn.has(`key:${line.key}`) && !this.drawn.has(key)) {
            this.drawn.set(key, this.drawn.get(`key:${line.key}`));
            this.drawn.delete(`key:${line.key}`);
        }
        seen.add(key);
        const known = this.drawn.get(key) || {element: this.make(), told: ''};
        this.drawn.set(key, known);
        const told = JSON.stringify([line, this.view.signature(line)]);
        if (known.told !== told) {
            known.told = told;
            this.show(known.element, line);
        }
        return known.element;
    }

    make() {
        const made = element('article', 'talk-line');
        const theirs = element('div', 'talk-theirs');
        const avatar = element('span', 'talk-avatar');
        avatar.setAttribute('aria-hidden', 'true');
        avatar.style.backgroundImage = `url("${data.picture}")`;
        theirs.append(avatar);
        made.append(
            element('div', 'talk-mine'), element('div', 'talk-marks'), theirs,
            element('div', 'talk-typing'), element('div', 'talk-end'), element('div', 'talk-acts'),
        );
        return made;
    }

    show(made, line) {
        const {view} = this;
        const find = (name) => made.querySelector(`:scope > .${name}`);
        made.dataset.id = line.id || '';
        made.dataset.key = line.key || '';
        made.dataset.end = line.end || '';
        made.dataset.state = line.state;
        made.classList.toggle('is-unkept', Boolean(line.unkept));
        made.classList.toggle('is-off-record', Boolean(line.off_record));
        const mine = find('talk-mine');
        mine.hidden = !line.query;
        if (line.query) setText(part(mine, 'user'), line.query); else mine.replaceChildren();
        this.showMarks(find('talk-marks'), line);
        const theirs = find('talk-theirs');
        theirs.hidden = !line.response && line.state !== 'running';
        if (!line.response) theirs.querySelector('.bot')?.remove();
        else if (line.blocks) showBlocks(part(theirs, 'bot'), line.blocks, view.words.lines);
        else setText(part(theirs, 'bot'), line.response);
        this.showTyping(find('talk-typing'), line);
        this.showEnd(find('talk-end'), line);
        const acts = find('talk-acts');
        const focused = [...acts.children].indexOf(document.activeElement);
        acts.replaceChildren(...actionsFor(line, view).map((it) => {
            const made = button(it.label(view.words, line), () => it.run(line, view, made));
            made.dataset.lineAct = it.name;
            return made;
        }));
        acts.hidden = !acts.children.length;
        decorate(made, line, view);
        // What was pressed may have become another button: the keyboard stays where it was.
        if (focused >= 0) acts.children[Math.min(focused, acts.children.length - 1)]?.focus();
    }

    showMarks(marks, line) {
        const {words} = this.view;
        const told = [];
        if (line.off_record) told.push(words.off_record_mark);
        if (line.unkept) told.push(words.notice.unkept_mark);
        if (line.state === 'unsent') told.push(this.view.isLost ? words.waiting.offline : words.waiting.sending);
        if (line.state === 'waiting') told.push(words.waiting.queued);
        marks.replaceChildren(...told.map((it) => element('span', 'talk-mark', it)));
        if (line.state === 'waiting') {
            marks.append(button(words.waiting.withdraw, () => this.view.withdraw(line.key)));
        }
        marks.hidden = !marks.children.length;
    }

    showTyping(typing, line) {
        const {words, companion} = this.view;
        typing.hidden = line.state !== 'running' || Boolean(line.response);
        if (typing.hidden) { typing.replaceChildren(); return; }
        const sign = element('p', 'talk-sign');
        const dots = element('span', 'talk-dots');
        dots.setAttribute('aria-hidden', 'true');
        dots.append(element('i'), element('i'), element('i'));
        sign.append(dots, element('span', '', fill(words.typing.sign, {companion})));
        typing.replaceChildren(sign);
        if (line.waits) typing.append(element('p', 'talk-waits', line.waits));
        if (!(line.recalled || []).length) return;
        const list = element('ul', 'talk-recalled');
        for (const it of line.recalled) list.append(element('li', '', fill(words.typing.day_words, it)));
        typing.append(element('p', 'talk-recalling', words.typing.recalled), list);
    }

    showEnd(end, line) {
        const {view} = this;
        const isOff = line.off_record && line.state === 'said';
        const told = {
            stopped: isOff ? view.words.end.stopped_off_record : view.words.end.stopped,
            cut: view.words.end.cut,
            taken_out: view.words.end.taken_out,
            unanswered: isOff ? view.words.end.failed_off_record : view.words.end.unanswered,
        }[line.state === 'said' ? line.end : ''];
        end.hidden = !told;
        end.replaceChildren();
        if (!told) return;
        end.append(element('span', '', told));
        if (!view.mayAct(line)) return;
        if (line.end === 'cut' || line.end === 'stopped') {
            end.append(button(view.words.end.go_on, () => view.goOn(line), 'talk-go-on'));
        }
        end.append(button(view.words.end.again, () => view.again(line), 'talk-again'));
    }

    // Draws the next words of the running reply without drawing anything else.
    append(key, said, blocks) {
        const made = [...this.root.querySelectorAll('.talk-line')].find((it) => it.dataset.key === key);
        const bot = made && made.querySelector('.bot');
        if (!bot) { this.draw(); return; }
        const wasAtEnd = this.isAtEnd();
        if (blocks) showBlocks(bot, blocks, this.view.words.lines); else setText(bot, said);
        if (wasAtEnd) this.toEnd();
    }

    isAtEnd() {
        const {scrollHeight, scrollTop, clientHeight} = this.scroller;
        return scrollHeight - scrollTop - clientHeight < 80;
    }

    toEnd() { this.scroller.scrollTop = this.scroller.scrollHeight; }
}

// The bubble in its place, which is made with its first word.
function part(place, name) {
    const found = place.querySelector(`:scope > .${name}`);
    if (found) return found;
    const made = element('div', name);
    place.append(made);
    return made;
}

function setText(at, words) {
    // Only what is new is added: the text before it keeps its selection.
    const text = at.childNodes.length === 1 && at.firstChild.nodeType === Node.TEXT_NODE ? at.firstChild : null;
    if (text && words.startsWith(text.data)) {
        if (words.length > text.data.length) text.appendData(words.slice(text.data.length));
    } else if (at.textContent !== words || at.children.length) {
        at.textContent = words;
    }
}

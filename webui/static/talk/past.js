// A part of the talk further back, shown in the place of its end: where a search or a memory
// leads. Scrolling brings the lines before and after it, until it meets the newest ones.

import {here, go} from '../shared/addresses.js';
import {get} from './api.js';
import {button, element} from './lines.js';
import {SearchBox} from './search_box.js';
import {TalkSession} from './session.js';

const NEAR = '600px';
const MOST_LINES = 2000; // as many as the server tells at once

export class TalkWithPast extends TalkSession {
    forget() {
        super.forget();
        this.past = null;
        this.found = '';
        this.isPointing = false;
        this.firstNew = '';
        this.seenOf = '';
        this.search?.forget();
    }

    lay() {
        super.lay();
        this.bar = element('div', 'talk-past');
        this.bar.hidden = true;
        this.bar.setAttribute('role', 'status');
        this.later = button('', () => this.showLater(), 'sf-button');
        this.later.id = 'later';
        this.later.hidden = true;
        this.root.prepend(this.bar);
        this.search = new SearchBox(this);
        this.chat.append(this.later);
        const near = new IntersectionObserver((seen) => {
            for (const it of seen) if (it.isIntersecting) it.target.click();
        }, {root: this.chat, rootMargin: NEAR});
        near.observe(this.earlier);
        near.observe(this.later);
        document.addEventListener('sf:panel', ({detail}) => {
            if (detail.panel === 'chat') this.goTo(detail.parameters.line || '');
        });
    }

    async open(who) {
        await super.open(who);
        const {panel, parameters} = here();
        if (who === this.who && panel === 'chat' && parameters.line) await this.goTo(parameters.line);
    }

    speak() {
        super.speak();
        const {words} = this;
        this.later.textContent = words.lines.past.later;
        this.search.speak();
        this.bar.replaceChildren(
            element('span', '', words.lines.past.reading),
            button(words.lines.past.back, () => go('chat'), 'sf-button'),
        );
    }

    // Shows a line of any day, or where a memory was said; without an id, the newest lines.
    async goTo(id) {
        if (!this.who.person || !this.words) return;
        if (!id) { this.leavePast(); return; }
        if (!this.inView.some((it) => it.id === id)) {
            const found = await this.ask(() => get('around', this.asked({id})));
            if (!found) { this.leavePast(); return; }
            id = found.line;
            this.past = found;
            this.meetNow();
        }
        this.found = id;
        this.draw();
        this.pointOut();
    }

    get inView() { return this.past ? this.past.lines : this.lines; }

    get foundLine() {
        return this.found && this.drawing.root.querySelector(`[data-id="${CSS.escape(this.found)}"]`);
    }

    pointOut() {
        const line = this.foundLine;
        if (!line) return;
        for (const it of this.drawing.root.querySelectorAll('.is-found')) it.classList.remove('is-found');
        line.classList.add('is-found');
        line.tabIndex = -1;
        line.focus({preventScroll: true});
        this.isPointing = true;
        this.bringIntoSight(line);
    }

    // Only the talk scrolls: the panel around it does not, though a browser could make it.
    bringIntoSight(line) {
        if (!this.chat.clientHeight) return; // nothing is shown yet: hold() does it then
        this.chat.scrollTop += line.getBoundingClientRect().top - this.chat.getBoundingClientRect().top
            - Math.max(0, (this.chat.clientHeight - line.offsetHeight) / 2);
        this.pointedAt = this.chat.scrollTop;
    }

    // The line that was pointed out is held until one scrolls away from it, not the end: the talk
    // may have been read before Gradio has drawn the panel that it is shown in.
    hold() {
        const line = this.isPointing && this.foundLine;
        if (line) this.bringIntoSight(line); else super.hold();
    }

    scrolled() {
        super.scrolled();
        if (this.chat.clientHeight && Math.abs(this.chat.scrollTop - this.pointedAt) > 1) this.isPointing = false;
    }

    // What a reply was given and why stands beside the talk, or on a phone in a drawer.
    async showWhy(id) {
        this.chosen = id;
        await this.showCards();
        const aside = document.getElementById('talk-aside');
        if (!aside.classList.contains('is-open') && this.beside.offsetParent) this.showBeside();
        aside.tabIndex = -1;
        aside.focus();
        aside.scrollTop = 0;
    }

    leavePast() {
        const was = this.past;
        this.past = null;
        this.found = '';
        this.isPointing = false;
        for (const it of this.drawing.root.querySelectorAll('.is-found')) it.classList.remove('is-found');
        if (!was) return;
        this.draw();
        this.drawing.toEnd();
    }

    // Lines that reach the newest are the talk itself again.
    meetNow() {
        if (this.past.later) return;
        this.lines = this.past.lines;
        this.hasEarlier = this.past.earlier;
        this.past = null;
    }

    draw() {
        super.draw();
        this.bar.hidden = !this.past;
        this.later.hidden = !this.past?.later;
        if (this.past) this.earlier.hidden = !this.past.earlier;
    }

    async showEarlier() {
        if (this.isBringing) return;
        this.isBringing = true;
        try {
            const {past} = this;
            if (!past) { await super.showEarlier(); return; }
            const {id} = past.lines[0];
            const found = await this.ask(() => get('earlier', this.asked({id})));
            if (!found || this.past !== past) return;
            const {scrollHeight, scrollTop} = this.chat;
            this.past = {...past, lines: [...found.lines, ...past.lines], earlier: found.earlier};
            this.draw();
            this.chat.scrollTop = scrollTop + this.chat.scrollHeight - scrollHeight;
        } finally {
            this.isBringing = false;
        }
    }

    async showLater() {
        const {past} = this;
        if (!past || this.isBringing) return;
        this.isBringing = true;
        try {
            const {id} = past.lines.at(-1);
            const found = await this.ask(() => get('later', this.asked({id})));
            if (!found || this.past !== past) return;
            const {scrollTop} = this.chat;
            this.past = {...past, lines: [...past.lines, ...found.lines], later: found.later};
            this.meetNow();
            this.draw();
            this.chat.scrollTop = scrollTop;
        } finally {
            this.isBringing = false;
        }
    }

    say(words, how) {
        if (this.past) go('chat');
        this.isPointing = false;
        return super.say(words, how);
    }

    async refresh() {
        const state = await super.refresh();
        if (state && this.past) await this.refreshPast();
        return state;
    }

    // What was changed of the lines that are shown, or erased, by this tab or another.
    async refreshPast() {
        const {past} = this;
        const {id} = past.lines[Math.floor(past.lines.length / 2)];
        const most = Math.min(past.lines.length, MOST_LINES);
        const found = await get('around', this.asked({id, most})).catch(() => null);
        if (this.past !== past) return;
        // A line that was erased is seen no more, also where it was the one to go by.
        if (!found) { go('chat'); return; }
        this.past = found;
        this.draw();
    }
}

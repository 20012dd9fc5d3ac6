// The talk of one person in this tab: what is known of it, what is done in it, and its events.
//
// The server's word counts: after everything that changes the talk the tab asks for it anew and
// draws that. What only this tab knows (messages that are not sent, lines off the record) is kept
// beside it.

import {redraw} from '../cards/action_menu.js';
import {data} from '../shared/common.js';
import {Refused, Unreachable, drawKey, get, post} from './api.js';
import {MessageBox} from './box.js';
import {Follower} from './events.js';
import {draftOf, keepDraft, keepOutbox, outboxOf} from './kept.js';
import {dateName, daysAgo} from './line_days.js';
import {Lines, button, element, fill} from './lines.js';

const LONG_AWAY = 30; // days after which the welcome says how long it was

export class TalkView {
    constructor() {
        this.tab = drawKey();
        this.who = {person: '', language: 'en'};
        this.words = null;
        this.server = '';
        this.companion = '';
        this.isLost = false;
        this.forget();
        this.lay();
        this.follower = new Follower(() => this.asked(), {
            event: (name, data) => this.hear(name, data),
            lost: () => this.lose(),
            back: () => this.comeBack(),
            refused: (error) => this.refuse(error),
        });
    }

    // Nothing of one person is left for the next.
    forget() {
        this.lines = [];
        this.locals = [];
        this.waiting = [];
        this.outbox = [];
        this.running = null;
        this.answers = null;
        this.today = '';
        this.greeting = '';
        this.hasEarlier = false;
        this.chosen = '';
    }

    lay() {
        this.root = element('section', 'talk');
        this.earlier = button('', () => this.showEarlier(), 'sf-button');
        this.earlier.id = 'earlier';
        this.chat = element('div', 'talk-chat');
        this.chat.id = 'chat';
        this.chat.tabIndex = 0;
        this.chat.setAttribute('role', 'log');
        this.chat.setAttribute('aria-live', 'off'); // a reply is read out once, when it is whole
        const list = element('div', 'talk-list');
        this.empty = element('p', 'talk-empty');
        this.chat.append(this.earlier, this.empty, list);
        this.notices = element('div', 'talk-notice');
        this.notices.id = 'chat-notice';
        this.notices.setAttribute('role', 'status');
        this.aloud = element('div', 'sf-hidden');
        this.aloud.setAttribute('role', 'status');
        this.box = new MessageBox({
            send: (words, offRecord) => this.say(words, {off_record: offRecord}),
            stop: () => this.stop(),
            drafted: (words) => { if (this.who.person) keepDraft(this.who.person, words); },
            offRecord: (isOn) => this.notice(isOn ? this.words.off_record_told : ''),
        });
        this.beside = button('', () => this.showBeside(), 'sf-button');
        this.beside.id = 'talk-beside';
        // Whoever reads the end goes on reading it while the box below grows.
        new ResizeObserver(() => this.hold()).observe(this.chat);
        this.chat.addEventListener('scroll', () => this.scrolled());
        this.wasAtEnd = true;
        this.root.append(this.chat, this.notices, this.aloud, this.beside, this.box.root);
        this.drawing = new Lines(this, list, this.chat);
        list.addEventListener('click', (event) => {
            const line = event.target.closest('.talk-line');
            if (line && !event.target.closest('button, a, form')) this.choose(line.dataset.id || line.dataset.key);
        });
    }

    // What was to be in sight stays so when the room for it changes, or is there only now.
    hold() { if (this.wasAtEnd) this.drawing.toEnd(); }

    scrolled() { this.wasAtEnd = this.drawing.isAtEnd(); }

    asked(more = {}) {
        return {
            person: this.who.person, companion: data.companion, language: this.who.language, tab: this.tab,
            ...more,
        };
    }

    // Shows the talk of a person, or in another language.
    async open(who) {
        const isOther = who.person !== this.who.person;
        this.who = who;
        if (isOther) { this.follower.stop(); this.forget(); }
        this.speak();
        if (isOther) {
            this.outbox = outboxOf(who.person);
            if (who.person && !this.box.words) this.box.put(draftOf(who.person));
        }
        if (!who.person) {
            this.draw();
            this.notice('');
            return;
        }
        const state = await this.untilReached(isOther ? () => post('open', this.asked()) : () => get('state', this.shown()), who);
        if (!state || who !== this.who) return;
        if (isOther) {
            this.hasGreeting = !state.lines.length;
            if (state.unasked) this.addLocal({response: state.unasked, end: 'whole', state: 'unasked'}, state.lines);
        }
        this.take(state);
        const said = this.lines.length || this.running || this.locals.some((it) => it.query);
        const key = said ? 'met' : this.greeting ? 'begun' : 'new';
        const last = this.lines.at(-1)?.date;
        const isLong = last && daysAgo(last, this.today) >= LONG_AWAY;
        const day = isLong ? dateName(last, who.language) : '';
        this.notice(fill(this.words.welcome[isLong ? 'long' : key], {name: state.person, day}));
        this.resend(state);
        this.comeBack();
        this.follower.start(state.at);
        this.drawing.toEnd();
    }

    speak() {
        const texts = data.texts[this.who.language];
        this.words = {...texts.web_talk, lines: texts.web_lines};
        this.root.setAttribute('aria-label', this.words.talk);
        this.chat.setAttribute('aria-label', this.words.talk);
        this.earlier.textContent = this.words.earlier;
        this.empty.textContent = this.words.empty;
        this.beside.textContent = this.words.beside;
        this.box.speak(this.words);
    }

    // Takes what the server says of the talk.
    take(state) {
        this.server = this.server || state.server;
        this.companion = state.companion;
        this.lines = state.lines;
        this.running = state.running;
        this.waiting = state.waiting;
        this.hasEarlier = state.earlier;
        this.answers = state.answers;
        this.today = state.today;
        this.greeting = this.hasGreeting ? state.greeting : '';
        this.dropSafe();
        this.draw();
        this.showCards();
    }

    shown() { return this.asked({since: this.lines.length ? this.lines[0].id : ''}); }

    async refresh() {
        const state = await this.ask(() => get('state', this.shown()));
        if (!state || state.person !== this.who.person) return;
        if (state.server !== this.server) {
            if (!this.hasOffRecord) { this.reload(); return; }
            this.server = state.server; // what stands in this tab alone is not thrown away unasked
            this.isStale = true;
            this.notice('');
        }
        this.take(state);
        return state;
    }

    draw() {
        const said = this.lines.length || this.locals.length || this.running || this.waiting.length
            || this.outbox.length || this.greeting;
        this.empty.hidden = Boolean(said) || !this.words;
        this.earlier.hidden = !this.hasEarlier;
        this.box.busy(Boolean(this.running));
        if (this.words) this.drawing.draw();
    }

    // What else a line's look depends on.
    signature(line) {
        return [this.who.language, this.isLost, this.mayAct(line), this.companion,
            this.answers?.id === line.id ? this.answers : null];
    }

    get hasOffRecord() { return [...this.locals, ...this.outbox].some((it) => it.off_record); }

    get isBusy() { return Boolean(this.running || this.waiting.length || this.outbox.length); }

    get lastLine() {
        return this.locals.findLast((it) => it.query && it.isNewest) || this.lines.at(-1) || null;
    }

    mayAct(line) {
        const last = this.lastLine;
        return !this.isBusy && line.state === 'said' && Boolean(last)
            && (line.id ? line.id === last.id : line.key === last.key);
    }

    notice(words, act = null) {
        this.notices.replaceChildren();
        if (!words && this.isStale) {
            this.notice(this.words.connection.restarted, {label: this.words.connection.load, run: () => this.reload()});
        }
        if (!words) return;
        this.notices.append(element('p', 'sf-quiet', words));
        if (act) this.notices.append(button(act.label, act.run));
    }

    addLocal(line, lines = this.lines) {
        for (const it of this.locals) it.isNewest = false;
        const after = lines.length ? lines.at(-1).id : '';
        this.locals.push({
            id: '', key: drawKey(), query: '', blocks: null, recalled: [], after, isNewest: true, ...line,
        });
    }

    // Asks the server; what it refuses is told, and a lost connection is the follower's matter.
    async ask(request) {
        try {
            return await request();
        } catch (error) {
            if (error instanceof Refused) this.refuse(error);
            else if (error instanceof Unreachable) { this.lose(); this.follower.suspect(); }
            else throw error;
            return null;
        }
    }

    // Until the talk is shown nobody follows it, so that nothing else would try again.
    async untilReached(request, who) {
        for (let wait = 250; who === this.who; wait = Math.min(2 * wait, 4000)) {
            try {
                return await request();
            } catch (error) {
                if (error instanceof Refused) { this.refuse(error); return null; }
                if (!(error instanceof Unreachable)) throw error;
                this.lose();
                await new Promise((done) => { setTimeout(done, wait); });
            }
        }
        return null;
    }

    refuse(error) {
        if (error.status === 401) {
            this.notice(this.words.connection.logged_out);
            this.reload();
            return;
        }
        this.notice(error.message || fill(this.words.connection.refused, {status: error.status}));
    }

    // Gradio's own session ends with the server, and the log-in may have: the page begins anew.
    reload() {
        if (this.isReloading) return;
        this.isReloading = true;
        if (!this.box.offRecord.checked) keepDraft(this.who.person, this.box.words);
        keepOutbox(this.who.person, this.outbox);
        window.location.reload();
    }

    lose() {
        if (this.isLost) return;
        this.isLost = true;
        this.notice(this.words.connection.lost);
        this.draw();
    }

    comeBack() {
        if (!this.isLost) return;
        this.isLost = false;
        this.notice(this.words.connection.back);
        this.draw();
        this.flush();
    }

    async showEarlier() {
        const id = this.lines[0].id;
        const found = await this.ask(() => get('earlier', this.asked({id})));
        if (!found || !this.lines.length || this.lines[0].id !== id) return;
        const {scrollHeight, scrollTop} = this.chat;
        this.lines = [...found.lines, ...this.lines];
        this.hasEarlier = found.earlier;
        this.draw();
        // What stood there stays there, with the end of what came in above in sight.
        this.chat.scrollTop = scrollTop + this.chat.scrollHeight - scrollHeight - 0.3 * this.chat.clientHeight;
    }

    // On a phone what was remembered lies below the talk until it is asked for.
    showBeside() {
        const aside = document.getElementById('talk-aside');
        this.beside.setAttribute('aria-expanded', String(aside.classList.toggle('is-open')));
    }

    choose(id) {
        this.chosen = id;
        this.showCards();
    }

    // Shows what the chosen line's reply was given, or the last line's.
    async showCards() {
        const place = this.remembered;
        if (!place) return;
        const all = [...(this.past || this).lines, ...this.locals];
        const line = all.find((it) => this.chosen && (it.id || it.key) === this.chosen) || this.lastLine;
        const round = this.cardsRound = (this.cardsRound || 0) + 1;
        if (!line) { redraw(place, element('p', 'sf-quiet', this.words.nothing_said_yet).outerHTML); return; }
        const html = line.id
            ? (await get('cards', this.asked({id: line.id})).catch(() => null))?.html
            : line.cards;
        if (round !== this.cardsRound) return; // another line was chosen meanwhile
        if (html !== undefined && html !== null) redraw(place, html);
    }
}

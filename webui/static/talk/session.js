// What a person does in the talk, and what the server tells of it.
//
// A message is in the outbox until the server has its words on disk: sent again after a lost
// connection or a new start of the server it is taken once, because it keeps its key.

import {Refused, drawKey, post} from './api.js';
import {runningItem} from './items.js';
import {keepOutbox} from './kept.js';
import {openReword} from './reword.js';
import {TalkView} from './view.js';

export class TalkSession extends TalkView {
    // Takes a message; returns whether the box may be emptied.
    say(words, {off_record: offRecord = false, again = ''} = {}) {
        if (!this.who.person) {
            this.notice(this.words.not_started);
            return false;
        }
        const time = new Date().toISOString();
        this.outbox.push({key: drawKey(), words, off_record: offRecord, again, time});
        this.notice('');
        this.chosen = '';
        this.keep();
        this.draw();
        this.drawing.toEnd();
        this.flush();
        return true;
    }

    keep() { keepOutbox(this.who.person, this.outbox); }

    // Sends what is in the outbox, one after the other.
    async flush() {
        if (this.isFlushing) return;
        this.isFlushing = true;
        try {
            for (let it; (it = this.outbox.find((other) => !other.taken));) {
                if (!await this.sendOne(it)) break;
            }
        } finally {
            this.isFlushing = false;
        }
    }

    async sendOne(it) {
        const {key, words, off_record: offRecord, again} = it;
        try {
            const told = await post('say', this.asked({key, words, off_record: offRecord, again}));
            if (!told.is_coming) { this.drop(key); this.soon(); return true; }
        } catch (error) {
            if (!(error instanceof Refused)) { this.lose(); this.follower.suspect(); return false; }
            this.giveBack(key);
            this.refuse(error);
            return error.status !== 401;
        }
        it.taken = true;
        this.keep();
        // Its event may have come before this answer, or is about to come.
        const isHeard = it.isHeard || this.waiting.some((other) => other.key === key);
        if (!isHeard && this.running?.key !== key) this.waiting.push(it);
        this.draw();
        return true;
    }

    // After a reload: what the server does not know is sent again.
    resend(state) {
        const known = new Set([state.running, ...state.waiting].filter((it) => it).map((it) => it.key));
        const last = state.lines.at(-1);
        // A server that was started anew knows no keys: what stands last on its disk was taken.
        this.outbox = this.outbox.filter((it) => !(last && !it.again && last.query === it.words));
        for (const it of this.outbox) it.taken = known.has(it.key);
        this.keep();
        this.draw();
        this.flush();
    }

    // Words that were not taken come back into the box, unless something new stands there.
    giveBack(key) {
        const found = this.outbox.find((it) => it.key === key);
        this.drop(key);
        if (found && !found.again && !this.box.words) this.box.put(found.words);
        this.draw();
    }

    drop(key) {
        this.outbox = this.outbox.filter((it) => it.key !== key);
        this.waiting = this.waiting.filter((it) => it.key !== key);
        this.keep();
    }

    // What runs under a turn's id is on the server's disk.
    dropSafe() {
        if (this.running?.turn && !this.running.off_record) this.drop(this.running.key);
    }

    hear(name, data) {
        if (name === 'reset' || name === 'changed') { this.soon(); return; }
        if (name === 'waiting' && !this.waiting.some((it) => it.key === data.key)) this.waiting.push(data);
        if (name === 'withdrawn') this.drop(data.key);
        if (name === 'begun') this.begin(data);
        const run = this.running;
        if (name === 'waits' && run) run.waits = data.words;
        if (run && run.key === data.key) {
            if (name === 'recalled') Object.assign(run, {turn: data.turn, recalled: data.recalled});
            if (name === 'recalled') this.dropSafe();
            if (name === 'piece') { this.hearPiece(run, data); return; }
            if (name === 'ended') { this.end(run, data); return; }
        } else if (name === 'ended') {
            this.soon();
        }
        this.draw();
    }

    // Of the blocks come those that changed, from the first of them on.
    hearPiece(run, data) {
        run.said += data.words;
        if (data.blocks) run.blocks = [...(run.blocks || []).slice(0, data.from), ...data.blocks];
        this.drawing.append(run.key, run.said, run.blocks);
    }

    begin(data) {
        const sent = this.outbox.find((it) => it.key === data.key);
        if (sent) Object.assign(sent, {taken: true, isHeard: true});
        this.waiting = this.waiting.filter((it) => it.key !== data.key);
        this.running = {...data, waits: ''};
    }

    async end(run, data) {
        const {words} = this;
        const drawn = {...runningItem(this), query: run.words};
        this.running = null;
        if (run.off_record) {
            const end = {failed: 'unanswered'}[data.end] || data.end;
            this.addLocal({
                key: run.key, query: run.words, response: run.said, blocks: data.blocks,
                off_record: true, end, cards: data.cards, time: run.time,
            });
        } else if (!data.turn) {
            this.giveBack(run.key); // it failed before anything was kept
        } else if (!run.again || data.end === 'whole') {
            // Until the server has told the line as it is stored, it stands there as it was drawn.
            const others = this.lines.filter((it) => it.id !== data.turn);
            this.lines = [...others, {...drawn, id: data.turn, end: data.end, state: 'ended'}];
        }
        this.drop(run.key);
        this.draw();
        this.aloud.textContent = run.said;
        const told = data.message ? [`⚠ ${data.message}`] : [];
        if (run.again && data.end !== 'whole') told.push(words.end.kept_before);
        this.notice(told.join(' '));
        this.tellUnkept(data.unkept || []);
        await this.refresh();
    }

    tellUnkept(ids) {
        if (!ids.length) return;
        const key = ids.length === 1 ? 'unkept_one' : 'unkept_both';
        this.notice(this.words.notice[key], {label: this.words.acts.rekeep, run: () => this.rekeep(ids)});
    }

    // Several changes in a row are looked at once.
    soon() {
        clearTimeout(this.sooner);
        this.sooner = setTimeout(async () => {
            const state = await this.refresh();
            if (!state) return;
            this.resend(state);
            this.follower.start(state.at);
        }, 30);
    }

    stop() { this.ask(() => post('stop', this.asked())); }

    async withdraw(key) {
        const unsent = this.outbox.find((it) => it.key === key && !it.taken);
        const found = unsent || await this.ask(() => post('withdraw', this.asked({key})));
        this.drop(key);
        if (found?.words && !this.box.words) this.box.put(found.words);
        this.draw();
    }

    // A line off the record is in no store: it is said again, and its first answer goes.
    again(line, words = line.query) {
        const isOff = Boolean(line.off_record) || this.box.offRecord.checked;
        if (line.off_record) this.locals = this.locals.filter((it) => it !== line && it.key !== line.key);
        this.say(words, {off_record: isOff, again: isOff ? '' : line.id});
    }

    goOn(line) {
        this.say(this.words.end.go_on_words, {off_record: Boolean(line.off_record)});
    }

    openReword(line) {
        const key = line.id || line.key;
        const at = [...this.chat.querySelectorAll('.talk-line')]
            .find((it) => (it.dataset.id || it.dataset.key) === key);
        if (at) openReword(this, line, at);
    }

    async undo(line) {
        if (line.off_record) {
            this.locals = this.locals.filter((it) => it.key !== line.key);
            this.takeBack(line.query);
            return;
        }
        const done = await this.ask(() => post('undo', this.asked({id: line.id})));
        if (!done) return;
        this.takeBack(done.words);
        await this.refresh();
    }

    takeBack(words) {
        this.notice(this.words.notice.undone);
        if (!this.box.words) this.box.put(words);
        this.box.area.focus();
        this.draw();
    }

    async unkeep(ids) {
        if (!await this.ask(() => post('unkeep', this.asked({ids})))) return;
        this.tellUnkept(ids);
        await this.refresh();
    }

    async rekeep(ids) {
        if (!await this.ask(() => post('rekeep', this.asked({ids})))) return;
        this.notice(this.words.notice.rekept);
        await this.refresh();
    }
}


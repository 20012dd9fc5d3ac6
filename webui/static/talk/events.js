// Follows the talk's events, and goes on from the last one after every loss of the connection.
//
// Only a tab that is seen follows: a browser keeps few connections to one address, and a tab in
// the background that held one would in the end keep the others waiting.

import {Refused, stream} from './api.js';

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
const SILENT_FOR = 25000; // the server sends something every ten seconds

export class Follower {
    // `params` returns who follows; `on` has event(name, data), lost(), back() and refused(error).
    constructor(params, on) {
        this.params = params;
        this.on = on;
        this.last = '';
        this.isOpen = false;
        this.isLost = false;
        this.wait = FIRST_WAIT;
        this.round = 0;
        for (const name of ['online', 'focus', 'pageshow']) {
            window.addEventListener(name, () => this.wake());
        }
        document.addEventListener('visibilitychange', () => {
            if (document.hidden) this.pause(); else this.wake();
        });
    }

    start(last) {
        this.pause();
        this.last = last;
        this.isOpen = true;
        if (!document.hidden) this.run();
    }

    stop() {
        this.isOpen = false;
        this.pause();
    }

    pause() {
        this.round += 1;
        clearTimeout(this.timer);
        if (this.abort) this.abort.abort();
        this.abort = null;
    }

    wake() {
        // A phone that slept may think that its connection still stands; the watch below ends it.
        if (!this.isOpen || document.hidden || (this.abort && !this.isLost)) return;
        this.wait = FIRST_WAIT;
        this.pause();
        this.run();
    }

    // Something else could not be reached: then this connection is not believed either.
    suspect() {
        if (!this.isOpen || this.isLost) return;
        this.isLost = true;
        this.wake();
    }

    async run() {
        const round = this.round;
        const abort = this.abort = new AbortController();
        try {
            const headers = this.last ? {'last-event-id': this.last} : {};
            this.watch(abort);
            const response = await stream('events', this.params(), headers, abort.signal);
            if (round !== this.round) return;
            this.wait = FIRST_WAIT;
            if (this.isLost) { this.isLost = false; this.on.back(); }
            await this.read(response.body.getReader(), abort, round);
        } catch (error) {
            if (round !== this.round) return;
            if (error instanceof Refused) { this.stop(); this.on.refused(error); return; }
        } finally {
            clearTimeout(this.silence);
        }
        if (round === this.round && this.isOpen) this.retry();
    }

    retry() {
        this.abort = null;
        if (!this.isLost) { this.isLost = true; this.on.lost(); }
        this.timer = setTimeout(() => this.run(), this.wait);
        this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    }

    watch(abort) {
        clearTimeout(this.silence);
        this.silence = setTimeout(() => abort.abort(), SILENT_FOR);
    }

    async read(reader, abort, round) {
        const decoder = new TextDecoder();
        let rest = '';
        for (;;) {
            const {done, value} = await reader.read();
            if (done || round !== this.round) return;
            this.watch(abort);
            rest += decoder.decode(value, {stream: true});
            const parts = rest.split('\n\n');
            rest = parts.pop();
            for (const part of parts) this.take(part);
        }
    }

    take(part) {
        const fields = {};
        for (const line of part.split('\n')) {
            const colon = line.indexOf(': ');
            if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2);
        }
        if (fields.data === undefined) return;
        if (fields.id) this.last = fields.id;
        this.on.event(fields.event, JSON.parse(fields.data));
    }
}

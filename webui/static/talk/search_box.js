// The search inside the talk: a box over it, and below the lines that were found, newest first.

import {go} from '../shared/addresses.js';
import {icon} from '../shared/common.js';
import {clockOf, dayName} from './line_days.js';
import {post} from './api.js';
import {button, element, fill} from './lines.js';

const PAUSE = 180;

export class SearchBox {
    constructor(view) {
        this.view = view;
        this.opener = button('', () => this.open());
        this.opener.className = 'talk-search-open';
        this.opener.id = 'talk-search-open';
        this.opener.append(icon('search'));
        this.root = element('div', 'talk-search');
        this.root.id = 'talk-search';
        this.root.hidden = true;
        this.root.setAttribute('role', 'search');
        this.field = element('input', 'sf-input');
        this.field.type = 'search';
        this.field.autocomplete = 'off';
        this.closer = button('', () => this.close());
        this.closer.className = 'talk-search-close';
        this.closer.append(icon('close'));
        this.told = element('p', 'talk-search-told');
        this.told.setAttribute('role', 'status');
        this.list = element('ol', 'talk-found');
        this.more = button('', () => this.bring(), 'sf-button');
        this.more.hidden = true;
        const row = element('div', 'talk-search-row');
        row.append(this.field, this.closer);
        const below = element('div', 'talk-search-below');
        below.append(this.told, this.list, this.more);
        this.root.append(row, below);
        view.root.prepend(this.opener, this.root);
        this.listen(below);
    }

    listen(below) {
        this.field.addEventListener('input', () => {
            clearTimeout(this.pause);
            this.pause = setTimeout(() => this.search(), PAUSE);
        });
        this.root.addEventListener('keydown', (event) => {
            if (event.key === 'Escape') { event.stopPropagation(); this.close(); }
            if (event.key === 'Enter' && event.target === this.field && !event.isComposing) this.search();
            if (event.key === 'ArrowDown') this.step(event, 1);
            if (event.key === 'ArrowUp') this.step(event, -1);
        });
        this.list.addEventListener('click', (event) => { if (event.target.closest('a')) this.hide(); });
        new IntersectionObserver((seen) => {
            if (seen.some((it) => it.isIntersecting)) this.bring();
        }, {root: below, rootMargin: '200px'}).observe(this.more);
        document.addEventListener('keydown', (event) => this.key(event));
    }

    speak() {
        const words = this.view.words.lines.search;
        for (const [at, said] of [[this.opener, words.open], [this.closer, words.close]]) {
            at.setAttribute('aria-label', said);
            at.title = said;
        }
        this.field.setAttribute('aria-label', words.words);
        this.field.placeholder = words.hint;
        this.more.textContent = words.more;
        if (!this.root.hidden) this.search();
    }

    // Ctrl-K and ⌘K anywhere, and a slash where nobody writes.
    key(event) {
        if (!this.view.who.person || !this.view.words) return;
        const isWriting = event.target.closest?.('input, textarea, select, [contenteditable], dialog');
        const isWanted = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
            || event.key === '/' && !isWriting && !event.ctrlKey && !event.metaKey && !event.altKey;
        if (!isWanted) return;
        event.preventDefault();
        if (document.documentElement.dataset.panel !== 'chat') go('chat');
        this.open();
    }

    open() {
        this.before = document.activeElement;
        this.root.hidden = false;
        this.opener.setAttribute('aria-expanded', 'true');
        this.field.focus();
        this.field.select();
    }

    hide() {
        this.root.hidden = true;
        this.opener.setAttribute('aria-expanded', 'false');
    }

    close() {
        this.hide();
        const back = this.before?.isConnected && this.before !== document.body ? this.before : this.opener;
        back.focus();
    }

    // Nothing that one person found is seen by the next.
    forget() {
        this.hide();
        this.field.value = '';
        this.show([], false);
        this.told.textContent = '';
    }

    async search() {
        clearTimeout(this.pause);
        const words = this.field.value.trim();
        this.words = words;
        const found = words ? await this.ask(words) : {lines: [], more: false, today: this.view.today};
        if (!found || this.words !== words) return;
        this.show([], false);
        this.add(found);
        const told = this.view.words.lines.search;
        const count = `${found.lines.length}${found.more ? '+' : ''}`;
        this.told.textContent = !words ? '' : found.lines.length ? fill(told.some, {count}) : told.none;
    }

    async bring() {
        if (this.more.hidden || this.isBringing) return;
        this.isBringing = true;
        const {words} = this;
        const found = await this.ask(words, this.list.lastElementChild.dataset.found);
        this.isBringing = false;
        if (found && this.words === words) this.add(found);
    }

    ask(words, before = '') {
        return this.view.ask(() => post('search', this.view.asked({words, before})));
    }

    show(items, isMore) {
        this.list.replaceChildren(...items);
        this.more.hidden = !isMore;
    }

    add(found) {
        this.list.append(...found.lines.map((line) => this.item(line, found.today)));
        this.more.hidden = !found.more;
    }

    item(line, today) {
        const {view} = this;
        const link = element('a');
        link.href = `#/chat?${new URLSearchParams({line: line.id})}`;
        const when = [dayName(line.date, today, view.who.language, view.words.lines), clockOf(line.time)];
        const who = line.by === 'person' ? view.words.lines.search.person : view.companion;
        link.append(element('span', 'talk-found-when', [...when, who].filter((it) => it).join(' · ')));
        const said = element('span', 'talk-found-words');
        said.append(...line.excerpt.map(([words, isFound]) => element(isFound ? 'mark' : 'span', '', words)));
        link.append(said);
        const made = element('li');
        made.dataset.found = line.id;
        made.append(link);
        return made;
    }

    step(event, by) {
        const all = [this.field, ...this.list.querySelectorAll('a')];
        const at = all.indexOf(event.target);
        if (at < 0 || !all[at + by]) return;
        event.preventDefault();
        all[at + by].focus();
    }
}

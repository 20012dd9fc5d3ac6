// What a tab keeps until it is safe on the server: the draft, and messages that are under way.
//
// sessionStorage is this tab's own, outlives a reload and a lost server, and ends with the tab.
// What is off the record never gets here. What was meant for one companion goes to no other, though
// the tab goes over to it.

import {data} from '../shared/common.js';

const keyOf = (name, person) => `sf-talk:${name}:${JSON.stringify([data.companion, person])}`;

function read(name, person, otherwise) {
    try {
        const found = sessionStorage.getItem(keyOf(name, person));
        return found === null ? otherwise : JSON.parse(found);
    } catch {
        return otherwise; // no storage, or not ours
    }
}

function write(name, person, value) {
    try {
        const key = keyOf(name, person);
        if (value === null) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, JSON.stringify(value));
    } catch { /* a browser without storage loses drafts with the tab */ }
}

export const draftOf = (person) => String(read('draft', person, ''));
export const keepDraft = (person, words) => write('draft', person, words || null);

export function outboxOf(person) {
    const found = read('outbox', person, []);
    return Array.isArray(found) ? found.filter((it) => it && it.key && it.words) : [];
}

export function keepOutbox(person, messages) {
    const kept = messages.filter((it) => !it.off_record);
    write('outbox', person, kept.length ? kept : null);
}

// The lines to draw, in their order: what the store has, with what only this tab knows between.

// Where a line of this tab stands: after the line that was last when it was said.
function withLocals(lines, locals) {
    const found = [];
    const place = (id) => found.push(...locals.filter((it) => it.after === id));
    place('');
    for (const line of lines) { found.push(line); place(line.id); }
    const known = new Set(['', ...lines.map((it) => it.id)]);
    // The line it stood after is gone: it stays at the end.
    found.push(...locals.filter((it) => !known.has(it.after)));
    return found;
}

export function items(view) {
    if (view.past) return view.past.lines.map((line) => ({state: 'said', ...line}));
    const found = withLocals(view.lines, view.locals).map((line) => ({state: 'said', ...line}));
    if (view.greeting) {
        found.unshift({id: '', key: 'greeting', state: 'greeting', query: '', response: view.greeting, end: 'whole'});
    }
    if (view.running) found.push(runningItem(view));
    for (const it of view.waiting) found.push({...messageItem(it), state: 'waiting'});
    for (const it of view.outbox) {
        if (!it.taken) found.push({...messageItem(it), state: 'unsent'});
    }
    return found;
}

function messageItem(message) {
    return {
        id: '', key: message.key, query: message.words, response: '', blocks: null, end: '',
        time: message.time, off_record: message.off_record, again: message.again,
    };
}

export function runningItem(view) {
    const run = view.running;
    const stands = run.again && view.lines.find((it) => it.id === run.again);
    return {
        ...messageItem(run),
        // Answered again in the same words, only the answer is new.
        query: stands && stands.query === run.words ? '' : run.words,
        id: run.again ? '' : run.turn,
        response: run.said, blocks: run.blocks, recalled: run.recalled, waits: run.waits, state: 'running',
    };
}

// What can be done at any line: copy it, ask why, and whether it is remembered.

import {copyWords} from '../shared/clipboard.js';
import {tell} from '../shared/common.js';
import {post} from './api.js';
import {registerAction} from './extend.js';

const STAYS = 10000;

const isSaid = (line) => line.state !== 'running' && line.state !== 'unsent' && line.state !== 'waiting';

registerAction({
    name: 'copy', label: (words) => words.lines.acts.copy,
    applies: (line) => isSaid(line) && Boolean(line.response || line.query),
    run: async (line, view) => {
        await copyWords(line.response || line.query);
        tell(view.words.lines.copied);
    },
});

registerAction({
    name: 'why', label: (words) => words.lines.acts.why,
    applies: (line) => isSaid(line) && Boolean(line.response && (line.id || line.cards)),
    run: (line, view, at) => view.showWhy(line.id || line.key, at),
});

registerAction({
    name: 'unkeep', label: (words) => words.acts.unkeep,
    applies: (line) => isSaid(line) && Boolean(line.id) && !line.unkept,
    run: (line, view) => mark(view, line.id, true),
});

registerAction({
    name: 'rekeep', label: (words) => words.acts.rekeep,
    applies: (line) => Boolean(line.id && line.unkept),
    run: (line, view) => mark(view, line.id, false),
});

async function mark(view, id, isUnkept) {
    const done = await view.ask(() => post(isUnkept ? 'unkeep' : 'rekeep', view.asked({ids: [id]})));
    if (!done) return;
    const {undo} = view.words.lines;
    const close = tell(
        isUnkept ? undo.unkept : undo.rekept, {label: undo.label, act: () => mark(view, id, !isUnkept)},
    );
    // It can be undone at the line too, so the notice need not stay.
    setTimeout(close, STAYS);
    await view.refresh();
}

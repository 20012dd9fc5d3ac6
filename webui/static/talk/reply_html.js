// Draws a reply from blocks of HTML that the server made and sanitised (webui/markdown.py).
//
// While a reply is written only its last blocks change, so the others stay as they are: a
// selection in them stays, and nothing flickers.

import {copyWords} from '../shared/clipboard.js';

export function showBlocks(place, blocks, words) {
    // What stood there as text, while nothing of it was Markdown yet, goes.
    if (place.firstChild && !place.firstElementChild) place.replaceChildren();
    while (place.children.length > blocks.length) place.lastElementChild.remove();
    blocks.forEach((html, at) => {
        const there = place.children[at];
        if (there && there.source === html) return;
        const block = document.createElement('div');
        block.className = 'md-block';
        block.innerHTML = html;
        block.source = html;
        block.querySelectorAll('pre').forEach((pre) => addBar(pre, words));
        block.querySelectorAll('table').forEach((table) => frame(table, words.table));
        if (there) there.replaceWith(block);
        else place.append(block);
    });
}

function addBar(pre, words) {
    const code = frame(pre, words.code);
    const bar = document.createElement('div');
    bar.className = 'md-bar';
    const language = document.createElement('span');
    language.textContent = pre.dataset.language || '';
    const copy = document.createElement('button');
    copy.type = 'button';
    copy.className = 'md-copy';
    copy.textContent = words.copy_code;
    copy.addEventListener('click', async () => {
        await copyWords(pre.textContent.replace(/\n$/, ''));
        copy.textContent = words.copied_code;
        setTimeout(() => { copy.textContent = words.copy_code; }, 2000);
    });
    bar.append(language, copy);
    code.before(bar);
}

function frame(wide, label) {
    // What is wider than the line scrolls by itself, with the keyboard too.
    const box = document.createElement('div');
    box.className = 'md-wide';
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', label);
    wide.replaceWith(box);
    box.append(wide);
    return box;
}

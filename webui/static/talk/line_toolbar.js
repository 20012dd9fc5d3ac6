// What can be done at a line, as a toolbar that a keyboard reaches in one step.
//
// Only one button of the whole talk is in the order of Tab: of the line where one was last, and
// at first of the last line. Left and right go along the toolbar, up and down to the same button
// of the lines above and below, Home and End to its ends.

import {registerDecorator, registerDrawn} from './extend.js';
import {fill} from './lines.js';

const LONGEST = 40;
const ICONS = new URL('line_icons.svg', import.meta.url);

registerDecorator((element, line, view) => {
    const bar = element.querySelector(':scope > .talk-acts');
    const said = (line.query || line.response || '').trim().replace(/\s+/g, ' ');
    const named = said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said;
    bar.setAttribute('role', 'toolbar');
    bar.setAttribute('aria-label', fill(view.words.lines.toolbar, {line: named}));
    for (const button of bar.querySelectorAll('button')) {
        const words = button.textContent;
        button.setAttribute('aria-label', fill(view.words.lines.act_on, {act: words, line: named}));
        button.title = words;
        button.tabIndex = -1;
        button.className = 'line-act';
        button.prepend(icon(button.dataset.lineAct));
    }
});

registerDrawn((view) => {
    const all = [...view.drawing.root.querySelectorAll('.line-act')];
    if (!all.some((it) => it.tabIndex === 0)) settle(all, lastBar(view)?.querySelector('.line-act'));
    if (view.hasToolbar) return;
    view.hasToolbar = true;
    view.drawing.root.addEventListener('keydown', (event) => move(view, event));
    view.drawing.root.addEventListener('focusin', (event) => {
        if (event.target.classList.contains('line-act')) {
            settle(view.drawing.root.querySelectorAll('.line-act'), event.target);
        }
    });
});

function icon(name) {
    const drawn = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    drawn.setAttribute('class', 'line-icon');
    drawn.setAttribute('aria-hidden', 'true');
    const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    use.setAttribute('href', `${ICONS}#${name}`);
    drawn.append(use);
    return drawn;
}

function lastBar(view) {
    return [...view.drawing.root.querySelectorAll('.talk-acts')].findLast((it) => it.querySelector('.line-act'));
}

function settle(all, chosen) {
    for (const it of all) it.tabIndex = it === chosen ? 0 : -1;
}

function move(view, event) {
    const from = event.target.closest('.line-act');
    if (!from || event.altKey || event.ctrlKey || event.metaKey) return;
    const along = [...from.parentElement.querySelectorAll('.line-act')];
    const at = along.indexOf(from);
    const to = {
        ArrowLeft: () => along[(at - 1 + along.length) % along.length],
        ArrowRight: () => along[(at + 1) % along.length],
        Home: () => along[0],
        End: () => along.at(-1),
        ArrowUp: () => inOther(view, from, -1),
        ArrowDown: () => inOther(view, from, 1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    to()?.focus();
}

function inOther(view, from, step) {
    const bars = [...view.drawing.root.querySelectorAll('.talk-acts')].filter((it) => it.querySelector('.line-act'));
    const bar = bars[bars.indexOf(from.parentElement) + step];
    if (!bar) return null;
    return bar.querySelector(`[data-line-act="${from.dataset.lineAct}"]`) || bar.querySelector('.line-act');
}

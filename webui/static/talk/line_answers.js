// The answers that one message has got: each can be looked at, and any of them kept.
//
// Looking changes nothing. What stands in memory changes only when a person keeps another one.

import {post} from './api.js';
import {registerDecorator} from './extend.js';
import {button, element, fill} from './lines.js';
import {showBlocks} from './reply_html.js';
import {tell} from '../shared/common.js';

registerDecorator((made, line, view) => {
    made.querySelector(':scope > .line-answers')?.remove();
    const {answers} = view;
    if (!answers || !line.id || answers.id !== line.id || answers.versions.length < 2 || !view.mayAct(line)) return;
    const group = element('div', 'line-answers');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', view.words.lines.answers.group);
    made.querySelector(':scope > .talk-acts').before(group);
    show(made, group, line, view, answers.stands);
});

function show(made, group, line, view, at) {
    const {versions, stands} = view.answers;
    const words = view.words.lines.answers;
    const {query, response, blocks} = versions[at];
    made.querySelector('.user').textContent = query;
    const bot = made.querySelector('.bot');
    if (blocks) showBlocks(bot, blocks, view.words.lines);
    else bot.textContent = response;
    made.classList.toggle('is-other-answer', at !== stands);
    const stepTo = (by, label, sign) => {
        const to = at + by;
        const step = button(sign, () => {
            show(made, group, line, view, to);
            const same = group.querySelector(`[data-step="${by}"]`);
            (same.disabled ? group.querySelector(`[data-step="${-by}"]`) : same).focus();
        });
        step.className = 'line-step';
        step.dataset.step = by;
        step.disabled = to < 0 || to >= versions.length;
        step.setAttribute('aria-label', label);
        return step;
    };
    const place = element('span', 'line-place', fill(words.place, {at: at + 1, all: versions.length}));
    place.setAttribute('role', 'status');
    const end = at === stands
        ? element('span', 'line-stands', words.stands)
        : button(words.keep, () => keep(line, view, at));
    if (at !== stands) end.className = 'line-keep';
    const until = element('span', 'line-until', words.until);
    group.replaceChildren(stepTo(-1, words.earlier, '‹'), place, stepTo(1, words.later, '›'), end, until);
}

async function keep(line, view, at) {
    const done = await view.ask(() => post('choose', view.asked({id: line.id, version: at})));
    if (!done) return;
    tell(view.words.lines.answers.kept);
    await view.refresh();
}

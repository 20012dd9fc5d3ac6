// The box in which the last message is put into other words; it stands in the line's own place.

import {button, element} from './lines.js';

export function openReword(view, line, at) {
    at.querySelector('.talk-reword')?.remove();
    const form = element('form', 'talk-reword');
    const area = element('textarea', 'sf-input');
    area.value = line.query;
    area.setAttribute('aria-label', view.words.reword.words);
    const say = element('button', 'sf-button sf-primary', view.words.reword.say);
    say.type = 'submit';
    const close = () => { form.remove(); view.box.area.focus(); };
    const row = element('div', 'talk-reword-acts');
    row.append(say, button(view.words.reword.cancel, close, 'sf-button'));
    form.append(area, row);
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        const words = area.value.trim();
        if (!words) return;
        form.remove();
        view.again(line, words);
    });
    form.addEventListener('keydown', (event) => { if (event.key === 'Escape') close(); });
    at.append(form);
    area.focus();
    form.scrollIntoView({block: 'nearest'});
}

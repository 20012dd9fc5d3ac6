// What stands beside the words of a line: its day above, its time, and where the new ones begin.

import {clockOf, dateName, dayName, dayOf} from './line_days.js';
import {data} from '../shared/common.js';
import {firstNew, keepSeen, lastSeen} from './line_visits.js';
import {registerBefore, registerDecorator, registerDrawn} from './extend.js';

let lastDay = '';

registerBefore((line, before, view) => {
    if (!before) lastDay = '';
    const day = line.date || dayOf(line.time);
    if (!day || day === lastDay) return null;
    lastDay = day;
    const {language} = view.who;
    const name = dayName(day, view.today, language, view.words.lines);
    return {
        key: `day:${day}:${name}`,
        draw: () => separator('talk-day', name, dateName(day, language)),
    };
});

registerBefore((line, before, view) => {
    if (!line.id || line.id !== view.firstNew) return null;
    return {
        key: `new:${view.who.language}`,
        draw: () => separator('talk-new', view.words.lines.since_last_visit),
    };
});

registerDecorator((element, line) => {
    let time = element.querySelector(':scope > .talk-marks > .line-time');
    const clock = clockOf(line.time);
    if (!clock) return;
    const marks = element.querySelector(':scope > .talk-marks');
    time = document.createElement('time');
    time.className = 'line-time';
    time.dateTime = line.time;
    time.textContent = clock;
    marks.prepend(time);
    marks.hidden = false;
});

registerDrawn((view) => {
    const {person} = view.who;
    if (!person || !view.lines.length) return;
    if (view.seenOf !== person) {
        // What was new when the talk was opened stays marked until it is opened again.
        view.seenOf = person;
        view.firstNew = firstNew(view.lines, lastSeen(person, data.companion));
        if (view.firstNew) view.draw();
    }
    if (!document.hidden) keepSeen(person, data.companion, view.lines.at(-1));
});

function separator(kind, words, title = '') {
    const made = document.createElement('h3');
    made.className = `talk-separator ${kind}`;
    made.textContent = words;
    if (title && title !== words) made.title = title;
    return made;
}

// What other modules add to the talk, without touching its view.
//
// registerAction({name, label, applies, run}): a button at a line. `label(words, line)` is its
//   text; `applies(line, view)` whether it stands there; `run(line, view, button)` what it does.
// registerBefore(make): what stands before a line, a day say. `make(line, lineBefore, view)`
//   returns null or {key, draw}, where draw() makes the element once for each key.
// registerDecorator(decorate): `decorate(element, line, view)` after a line was drawn or changed.
// registerDrawn(drawn): `drawn(view)` after the whole talk was drawn.
//
// A line is what the server tells of a turn (id, date, time, query, response, html, end, unkept,
// replied_by) or what only this tab knows (off the record, waiting, running, greeting); see
// `items()` in items.js. Its element carries data-id (the turn's id, empty where none is
// kept) and data-end.

const actions = [];
const befores = [];
const decorators = [];
const drawns = [];

export const registerAction = (action) => { actions.push(action); };
export const registerBefore = (make) => { befores.push(make); };
export const registerDecorator = (decorate) => { decorators.push(decorate); };
export const registerDrawn = (drawn) => { drawns.push(drawn); };

export const actionsFor = (line, view) => actions.filter((it) => it.applies(line, view));
export const beforesOf = (line, before, view) =>
    befores.map((make) => make(line, before, view)).filter((it) => it);
export const decorate = (element, line, view) => decorators.forEach((it) => it(element, line, view));
export const tellDrawn = (view) => drawns.forEach((it) => it(view));

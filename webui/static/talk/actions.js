// What can be done with the last exchange.

import {registerAction} from './extend.js';

const isLast = (line, view) => view.mayAct(line);

registerAction({
    name: 'again', label: (words) => words.acts.again,
    applies: (line, view) => isLast(line, view) && line.end === 'whole',
    run: (line, view) => view.again(line),
});
registerAction({
    name: 'reword', label: (words) => words.acts.reword, applies: isLast,
    run: (line, view) => view.openReword(line),
});
registerAction({
    name: 'undo', label: (words) => words.acts.undo, applies: isLast,
    run: (line, view) => view.undo(line),
});

// The chat view: drawn into the chat's panel for whoever uses this tab.
//
// Gradio may draw its panels anew at any time; then the view, which is one and the same for as
// long as the tab is open, moves into the new one. Other modules reach it by `talk` here, and
// add to it by extend.js.

import './line_actions.js';
import './actions.js';
import './line_marks.js';
import './line_answers.js';
import './line_toolbar.js';
import {language, whoami} from '../shared/common.js';
import {TalkWithPast} from './past.js';

export const talk = new TalkWithPast();

function moveIn() {
    const panel = document.getElementById('panel-chat');
    talk.remembered = document.querySelector('#remembered .talk-remembered');
    if (!panel || talk.root.parentNode === panel) return;
    const {scrollTop} = talk.chat; // lost by what is moved
    panel.prepend(talk.root);
    talk.chat.scrollTop = scrollTop;
    talk.hold();
}

const meet = () => { talk.open({person: whoami(), language: language()}); };

// What is off the record stands in this tab alone: the browser asks before an answer to it is lost.
addEventListener('beforeunload', (event) => {
    if (talk.outbox.some((it) => it.off_record)) event.preventDefault();
});

document.addEventListener('sf-talk-place', moveIn);
document.addEventListener('sf:person', meet);
document.addEventListener('sf:language', meet);
moveIn();
meet();

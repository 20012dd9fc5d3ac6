"""The chat panel: a name, the talk so far, and replies that stream.

The panel keeps nothing itself. What it shows comes from the store, so a reload, another
tab and the terminal all see the same talk.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import text

from .friends import Friends
from .privacy import CHAT_BUTTONS, load_gradio

SHOWN_TURNS = 30

Messages = list[dict[str, Any]]


def plain(words: str) -> str:
    """The words so that the page shows them as they are: it reads tags even without Markdown."""
    return html.escape(words, quote=False)


def _messages(turns: list[Turn]) -> Messages:
    spoken = ((turn.query, turn.response) for turn in turns)
    return [
        {"role": role, "content": plain(words)}
        for query, response in spoken
        for role, words in (("user", query), ("assistant", response))
        if words
    ]


def open_talk(friends: Friends, name: str) -> Messages:
    """The last turns with the person called ``name``, and a greeting."""
    language = friends.settings.language
    scope = Scope.of(name, friends.settings.companion)
    turns: list[Turn] = []
    if friends.store.exists(scope):
        memory = friends.store.load(scope)
        language = memory.profile.language
        turns = list(memory.turns())[-SHOWN_TURNS:]
    greeting = text("web", "met" if turns else "new", language, name=scope.person)
    return [*_messages(turns), {"role": "assistant", "content": greeting}]


def talk(friends: Friends, name: str, message: str, shown: Messages) -> Iterator[Messages]:
    """The talk with the reply to ``message`` growing at its end; an error becomes its sentence."""
    said = [*shown, {"role": "user", "content": plain(message)}]
    reply = ""
    yield said
    try:
        for piece in friends.of(name).stream(message):
            reply += piece
            yield [*said, {"role": "assistant", "content": plain(reply)}]
    except SiliconFriendError as error:
        sentence = error.message(friends.settings.language)
        kept = [{"role": "assistant", "content": plain(reply)}] if reply else []
        yield [*said, *kept, {"role": "assistant", "content": f"⚠ {sentence}"}]


def add_chat_panel(friends: Friends) -> None:
    """Put the panel into the page that is being built."""
    gr = load_gradio()
    language = friends.settings.language

    def label(key: str) -> str:
        return text("web", key, language)

    with gr.Row():
        name = gr.Textbox(
            label=label("name"),
            info=label("name_hint"),
            value=friends.settings.user or "",
            elem_id="name",
        )
        start = gr.Button(label("start"), elem_id="start", scale=0)
    person = gr.State("")
    # Plain text, not Markdown: a reply can load no image, link or script.
    chat = gr.Chatbot(
        buttons=CHAT_BUTTONS, feedback_options=None, render_markdown=False, elem_id="chat"
    )
    message = gr.Textbox(
        label=label("message"),
        placeholder=label("message_hint"),
        submit_btn=True,
        elem_id="message",
    )
    stop = gr.Button(label("stop"), elem_id="stop")

    def begin(given: str) -> tuple[str, Messages]:
        try:
            return Scope.of(given).person, open_talk(friends, given)
        except SiliconFriendError as error:
            return "", [{"role": "assistant", "content": error.message(language)}]

    def answer(who: str, words: str, shown: Messages) -> Iterator[tuple[str, Messages]]:
        if not who:
            yield words, [{"role": "assistant", "content": label("not_started")}]
        elif words.strip():
            for growing in talk(friends, who, words, shown):
                yield "", growing

    hidden: dict[str, Any] = {"api_visibility": "private"}
    gr.on([start.click, name.submit], begin, [name], [person, chat], **hidden)
    replying = message.submit(
        answer, [person, message, chat], [message, chat], concurrency_limit=None, **hidden
    )
    stop.click(None, cancels=[replying], **hidden)

"""Following the talk: from any event on, what is another tab's never, and why a reply waits."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any

import pytest

from siliconfriend.clock import FixedClock
from siliconfriend.config import Settings
from siliconfriend.memory.scope import Scope
from siliconfriend.testing import ScriptedChatModel
from siliconfriend.texts import Language
from tests.memory.people import NORA
from tests.recall.people import GARDEN, NOW, remember, turns
from tests.webui.slow import SlowEmbedder
from tests.webui.talker import Open
from webui.backend import Backend
from webui.replies.following import follow_talk
from webui.replies.running_replies import Message as Asking
from webui.replies.running_replies import Talk
from webui.talk.routes import TalkRoutes


def followed(talk: Talk, after: int | None, until: str, **how: Any) -> list[tuple[str, Any]]:
    """The events that a follower is sent, with and until the first of a name: name and data."""

    async def read() -> list[tuple[str, Any]]:
        found = []
        events = follow_talk(talk, after, how.get("tab", "tab"), str, how.get("waits_for", str))
        async with aclosing(events):
            async for sent in events:
                fields = dict(it.split(": ", 1) for it in sent.strip().split("\n"))
                found.append((fields.get("event", ""), json.loads(fields["data"])))
                if found[-1][0] == until:
                    break
        return found

    # The browser of other tests leaves a loop running in this thread.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(lambda: asyncio.run(read())).result()


def test_a_tab_goes_on_from_the_last_event_it_heard(talk_with: Open) -> None:
    """With what came after, words in a row as one; of another server it is told to begin anew."""
    ada = talk_with(ScriptedChatModel([["The", " boat", " was", " blue."]]))
    ada.say("Which colour?")
    talk = ada.backend.replies.talk(Scope.of("Ada"))
    first = next(it for it in talk.events.since(0) or [] if it.name == "piece")
    (words, ended) = followed(talk, first.number, "ended")
    assert words[1]["words"] == " boat was blue."
    assert ended[1]["end"] == "whole"
    replies = ada.backend.replies
    for unknown in (replies.number_of("another-3"), replies.number_of(""), 1_000):
        assert followed(talk, unknown, "reset") == [("reset", {})]
    assert replies.number_of(replies.event_id(3)) == 3


def test_what_is_off_the_record_in_another_tab_is_not_followed(talk_with: Open) -> None:
    """Neither the words nor that anything was said."""
    ada = talk_with(ScriptedChatModel(["In the barn.", "Hello."]))
    ada.say("The treasure is hidden.", off_record=True)
    ada.say("Good morning.")
    talk = ada.backend.replies.talk(Scope.of("Ada"))
    told = json.dumps(followed(talk, 0, "ended", tab="another"))
    assert "Hello." in told
    assert "treasure" not in told
    assert "barn" not in told
    assert "barn" in json.dumps(followed(talk, 0, "ended"))


@pytest.mark.parametrize(
    ("language", "words"), [("en", f"0 of {len(GARDEN)}."), ("cn", f"{len(GARDEN)}段已读0段")]
)
def test_the_progress_of_indexing_an_import_is_told_until_the_first_word(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, language: Language, words: str
) -> None:
    """In words of the page and not of the companion."""
    monkeypatch.setattr("webui.replies.following.SILENCE", 0.01)
    embedder = SlowEmbedder()
    monkeypatch.setattr("siliconfriend.recall.embedders.factory.open_embedder", lambda _: embedder)
    backend = Backend(settings, FixedClock(NOW))
    remember(backend.store, turns(GARDEN))
    routes = TalkRoutes(backend)
    talk = backend.replies.talk(NORA)
    talk.say(Asking("key", "Which kettle did I buy?", "tab", language, NOW))
    waits_for = routes.waits_for(NORA, language)
    waits = followed(talk, 0, "waits", waits_for=waits_for)[-1][1]
    assert words in waits["words"]
    embedder.may_go_on.set()
    told = followed(talk, 0, "ended", waits_for=waits_for)
    said = "".join(it["words"] for name, it in told if name == "piece")
    assert "blue kettle" in said

"""The talk's own routes: a reply belongs to the talk, is told once, and loses nothing."""

import re
import threading
from collections.abc import Iterable, Sequence
from datetime import timedelta

import pytest

from siliconfriend.errors import MemoryBusy, ModelUnavailable
from siliconfriend.memory.knowledge import GREETED, Used
from siliconfriend.models.base import Message as ModelMessage
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.webui.conftest import Open, Tab
from webui.replies import TalkEntry
from webui.talk_html import carrying_memories, draw_exchange


class Gate:
    """A model that says three words, and stops before the second until it may go on."""

    def __init__(self) -> None:
        self.may_go_on, self.has_begun = threading.Event(), threading.Event()

    def open(self, open_tab: Open, words: str) -> Tab:
        """Say something in a tab of this model, whose reply has begun and is held."""
        tab = open_tab(ScriptedChatModel(otherwise=self._answer))
        tab.say(words, waits=False)
        assert self.has_begun.wait(20)
        return tab

    def _answer(self, _messages: Sequence[ModelMessage]) -> Iterable[str]:
        yield "One "
        self.has_begun.set()
        assert self.may_go_on.wait(20)
        yield "two "
        yield "three."


def test_a_message_waits_in_line_and_is_drawn_once(open_tab: Open) -> None:
    gate = Gate()
    tab = gate.open(open_tab, "First.")
    tab.say("Second.", key="second", waits=False)
    states = [(each.query, each.state) for each in tab.lines()]
    assert states == [("First.", "running"), ("Second.", "waiting")]
    gate.may_go_on.set()
    tab.wait()
    answered = [("First.", "One two three.", "whole"), ("Second.", "One two three.", "whole")]
    assert tab.said() == answered


def test_a_stored_message_is_not_drawn_beside_its_running_reply(open_tab: Open) -> None:
    """Also before the reply knows under which id its message was stored."""
    gate = Gate()
    tab = gate.open(open_tab, "Hello.")
    running = tab.talk.running
    assert running is not None
    running.id = ""
    assert [each.query for each in tab.lines()] == ["Hello."]
    gate.may_go_on.set()
    tab.wait()


def test_a_message_sent_twice_is_taken_once(open_tab: Open) -> None:
    tab = open_tab(ScriptedChatModel(["Yes."]))
    tab.say("Are you there?", key="same")
    tab.say("Are you there?", key="same")
    assert tab.said() == [("Are you there?", "Yes.", "whole")]
    assert [each.key for each in tab.talk.exchanges] == ["same"]


def test_a_stopped_reply_keeps_what_was_said(open_tab: Open) -> None:
    gate = Gate()
    tab = gate.open(open_tab, "Count.")
    while not (tab.talk.running and tab.talk.running.response):
        pass
    tab.post("stop")
    assert tab.said() == [("Count.", "One ", "stopped")]
    gate.may_go_on.set()
    tab.say("Go on.")
    assert [each[2] for each in tab.said()] == ["stopped", "whole"]
    assert tab.said()[0][1].startswith("One")


def test_a_server_that_ends_keeps_what_was_said(open_tab: Open) -> None:
    """The reply as broken off, and the messages in line without an answer."""
    gate = Gate()
    tab = gate.open(open_tab, "First.")
    tab.say("Second.", waits=False)
    tab.say("A secret.", off_record=True, waits=False)
    threading.Timer(0.3, gate.may_go_on.set).start()
    tab.backend.close(20)
    first, second = open_tab(ScriptedChatModel()).said()
    assert (first[0], first[1][:4], first[2]) == ("First.", "One ", "cut")
    assert second == ("Second.", "", "unanswered")


def test_a_model_that_fails_before_its_first_word_keeps_the_message(open_tab: Open) -> None:
    failure = ModelUnavailable("model_unreachable", address="http://here")
    tab = open_tab(ScriptedChatModel([failure, "Now."]))
    tab.say("Hello?")
    (line,) = tab.lines()
    assert (line.state, line.response) == ("unanswered", "")
    assert "Nothing answers at http://here" in draw_exchange(tab.visit, line)
    tab.say("", id=line.id)
    assert tab.said() == [("Hello?", "Now.", "whole")]


def test_a_message_that_cannot_be_kept_is_said_to_be_lost(
    open_tab: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = open_tab(ScriptedChatModel(["Now."]))

    def fail(*_: object, **__: object) -> None:
        raise MemoryBusy("memory_busy", name="Ada", seconds=30)

    with monkeypatch.context() as patched:
        patched.setattr(tab.backend.bank.store, "create", fail)
        tab.say("Hello?")
    (line,) = tab.lines()
    assert (line.query, line.id, line.state) == ("Hello?", "", "failed")
    assert "30" in str(line.troubles[0])


def test_an_answer_is_replaced_only_by_a_whole_one(open_tab: Open) -> None:
    broken: list[str | BaseException] = [
        "Half ",
        ModelUnavailable("model_unreachable", address="x"),
    ]
    tab = open_tab(ScriptedChatModel(["First.", broken, "Better."]))
    tab.say("Say it.")
    (line,) = tab.lines()
    tab.say("", id=line.id)
    assert tab.said() == [("Say it.", "First.", "whole")]
    tab.say("Say it well.", id=line.id)
    assert tab.said() == [("Say it well.", "Better.", "whole")]


def test_only_the_last_message_is_answered_again(open_tab: Open) -> None:
    tab = open_tab(ScriptedChatModel(["One.", "Two."]))
    tab.say("First.")
    first = tab.lines()[0].id
    tab.say("Second.")
    assert tab.say("", id=first).status_code == 409
    assert tab.post("undo", id=first).status_code == 409


def test_the_last_exchange_is_taken_back_for_good(open_tab: Open) -> None:
    tab = open_tab(ScriptedChatModel(["Noted."]))
    tab.say("The code is 4711.")
    identifier = tab.lines()[0].id
    assert tab.post("undo", id=identifier).json()["words"] == "The code is 4711."
    assert tab.said() == []


def test_off_the_record_stands_in_its_tab_alone_and_nowhere_else(
    open_tab: Open, clock: MovingClock
) -> None:
    tab = open_tab(ScriptedChatModel(["I see.", "Hello."]))
    tab.say("The key is under the pot.", off_record=True)
    assert not tab.visit.person.is_known()
    clock.set(clock.moment + timedelta(minutes=1))
    tab.say("Good morning.")
    assert [each.off_record for each in tab.lines()] == [True, False]
    identifier = tab.lines()[1].id
    again = TalkEntry("k", "Good morning.", "running", at=clock.moment, tab="x", again=identifier)
    tab.talk.exchanges = (*tab.talk.exchanges, again)
    assert [each.state for each in tab.lines()] == ["whole", "running"]
    tab.talk.exchanges = tab.talk.exchanges[:-1]
    tab.key = "other"
    assert [each[0] for each in tab.said()] == ["Good morning."]
    home = tab.backend.settings.home
    assert not [each for each in home.rglob("*") if each.is_file() and b"pot" in each.read_bytes()]


def test_code_stands_below_a_button_that_copies_it(open_tab: Open) -> None:
    tab = open_tab(ScriptedChatModel(["Look:\n\n```py\nx = 1\n```"]))
    tab.say("Show me.")
    html = draw_exchange(tab.visit, tab.lines()[0])
    assert re.search(r'tabindex="0"><button[^>]*data-act="copy_code".*</button><pre><code', html)
    assert "&lt;" not in html


def test_an_exchange_is_marked_as_not_to_be_remembered(open_tab: Open) -> None:
    tab = open_tab(ScriptedChatModel(["Noted."]))
    tab.say("I like figs.")
    identifier = tab.lines()[0].id
    for unkept in (True, False):
        assert tab.post("mark", id=identifier, unkept=unkept).status_code == 200
        assert tab.lines()[0].unkept is unkept


def test_a_tab_of_another_person_is_refused(open_tab: Open) -> None:
    """Whoever began anew in another tab of the browser gets no words of an older one."""
    tab = open_tab(ScriptedChatModel(["Hi."]))
    tab.http.cookies.set("sf-name", "Ben")
    assert tab.say("For Ada's companion.").status_code == 409
    assert not tab.visit.person.is_known()


def test_why_names_three_memories_at_most_with_their_days(open_tab: Open) -> None:
    tab = open_tab()
    said = [f"I saw otter {day}." for day in range(1, 6)]
    turns = [
        tab.visit.person.add(words, at=f"2026-11-0{day}").turn for day, words in enumerate(said, 1)
    ]
    scores = (1, 5, 2, 4, 3)
    used = [Used(turn.id, each, is_likely=True) for turn, each in zip(turns, scores, strict=True)]

    def told(
        used: Sequence[Used], reply: str = "Otters!", said: str = "I saw one."
    ) -> list[tuple[str, str]]:
        return carrying_memories(tab.visit, TalkEntry("k", said, response=reply, used=used))

    best = [(turns[place].date, said[place]) for place in (1, 3, 4)]
    assert told([*used, Used("gone", 9, is_likely=True)]) == best
    assert told([Used(turns[1].id, 5)]) == [], "near, and not meant"
    assert told(used, "Freeze it for four hours.") == [], "nothing of it is taken up"
    assert told(used, "Five times.", "How often did I see one?") == best, "asked for"
    assert told(used, "你见过好多次。") == best, "in another language"
    greeted = Used(turns[1].id, 0, {GREETED: 0.0}, is_likely=True)
    assert told([greeted]) == [], "raised by the companion itself"


@pytest.mark.parametrize("body", [b"", b"[]", b'{"person": "Ada"}', b'{"person": 1, "tab": "x"}'])
def test_what_the_page_does_not_send_is_refused(open_tab: Open, body: bytes) -> None:
    assert open_tab().http.post("/talk/say", content=body).status_code == 422


def test_a_message_that_is_too_long_is_refused_with_a_reason(open_tab: Open) -> None:
    """The page puts it back into the box and shows the sentence."""
    tab = open_tab()
    refused = tab.say("x" * 100_001)
    assert (refused.status_code, "100,000" in refused.json()["message"]) == (409, True)
    assert tab.said() == []

"""The talk over its own addresses: said, followed, answered again, taken back, and nobody else's."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.errors import ModelUnavailable
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel
from tests.webui.talker import Open, ended_of
from webui.talk.requests import LONGEST_MESSAGE

FAILING = ModelUnavailable("model_unreachable", address="http://here")


def test_a_message_is_answered_and_shown_with_its_time(talk_with: Open) -> None:
    """With id, moment and end, plain words, and the memories that it was given beside it."""
    ada = talk_with(ScriptedChatModel(["A kettle.", "The *blue* one."]))
    ada.say("I bought a blue kettle.")
    ada.say("Which kettle did I buy?")
    first, second = ada.state()["lines"]
    assert first["query"] == "I bought a blue kettle."
    assert first["time"] == "2026-11-21T09:00:00+00:00"
    assert (second["response"], second["end"]) == ("The *blue* one.", "whole")
    assert second["blocks"] == ["<p>The <em>blue</em> one.</p>\n"]
    assert second["replied_by"] == "scripted"
    html = ada.get("cards", id=second["id"]).json()["html"]
    assert f'data-memory="{second["id"]}"' in html
    assert ada.get("cards", id="nothing").status_code == 409


def test_another_answer_replaces_the_first_when_it_is_whole(talk_with: Open) -> None:
    """In its place, and the first is on no disk; the page may still show both."""
    ada = talk_with(ScriptedChatModel(["One.", "Two.", "Three."]))
    ada.say("Count for me.")
    (line,) = ada.state()["lines"]
    ada.say("", again=line["id"])
    assert ada.lines() == [("Count for me.", "Two.", "whole")]
    assert ada.versions(line["id"]) == ["One.", "Two."]
    ada.say("Count on, please.", again=line["id"])
    assert ada.lines() == [("Count on, please.", "Three.", "whole")]
    home = ada.backend.settings.home
    found = [it.read_bytes() for it in home.rglob("*") if it.is_file()]
    assert not [it for it in found if b"Count for me" in it or b"One." in it]


@pytest.mark.parametrize(
    "broken",
    [[FAILING], ["Two, but", FAILING]],
    ids=["before the first word", "after some words"],
)
@pytest.mark.parametrize("words", ["", "Count on, please."], ids=["again", "reworded"])
def test_a_model_that_fails_leaves_the_answer_that_stands(
    talk_with: Open, broken: list[Any], words: str
) -> None:
    """Neither the old answer nor the old words are lost; the person is told why."""
    ada = talk_with(ScriptedChatModel(["One.", broken]))
    ada.say("Count for me.")
    (line,) = ada.state()["lines"]
    ada.say(words, again=line["id"])
    assert ada.lines() == [("Count for me.", "One.", "whole")]
    assert ada.versions(line["id"]) == []
    ended = ended_of(ada)
    assert ended["end"] in ("failed", "cut")
    assert "http://here" in ended["message"]


def test_a_message_that_got_no_answer_stands_and_is_answered_again(talk_with: Open) -> None:
    """What came of a broken answer is kept as broken off, and another one takes its place."""
    model = ScriptedChatModel([FAILING, ["Here", FAILING], "Here I am."])
    ada = talk_with(model)
    ada.say("Are you there?")
    assert ada.lines() == [("Are you there?", "", "unanswered")]
    (line,) = ada.state()["lines"]
    ada.say("", again=line["id"])
    assert ada.lines() == [("Are you there?", "Here", "cut")]
    ada.say("", again=line["id"])
    assert ada.lines() == [("Are you there?", "Here I am.", "whole")]


def test_what_was_answered_before_is_not_told_to_the_model_that_answers_again(
    talk_with: Open,
) -> None:
    """Else it would quote itself."""
    model = ScriptedChatModel(["The boat is called Wren.", "I do not know."])
    ada = talk_with(model)
    ada.say("What is my boat called?")
    (line,) = ada.state()["lines"]
    ada.say("", again=line["id"])
    assert "Wren" not in json.dumps([it.content for it in model.calls[1]])


def test_only_the_last_line_is_changed(talk_with: Open) -> None:
    """A tab that shows an older talk is told so, and nothing happens; so while a reply is made."""
    begun, may_go_on = threading.Event(), threading.Event()

    def answer(_: Sequence[Message]) -> Iterable[str]:
        begun.set()
        assert may_go_on.wait(20)
        yield "Yes."

    ada = talk_with(ScriptedChatModel(["One.", "Two."], otherwise=answer))
    ada.say("Count.")
    ada.say("Go on.")
    first, second = ada.state()["lines"]
    for path in ("undo", "say"):
        told = ada.post(path, id=first["id"], again=first["id"], key="x", words="Other words.")
        assert (told.status_code, told.json()["error"]) == (409, "talk_moved_on")
    ada.post("say", key="long", words="And now?")
    assert begun.wait(20)
    told = ada.post("undo", id=second["id"])
    assert (told.status_code, told.json()["error"]) == (409, "talk_busy")
    may_go_on.set()
    ada.wait()
    assert [it[0] for it in ada.lines()] == ["Count.", "Go on.", "And now?"]


def test_a_line_is_taken_back_marked_and_unmarked(talk_with: Open) -> None:
    """Taken back its words come back; a mark is taken back by the same id."""
    ada = talk_with()
    ada.say("My tin is under the step. Don't remember this.")
    (line,) = ada.state()["lines"]
    assert line["unkept"]
    assert ended_of(ada)["unkept"] == [line["id"]]
    assert ada.post("rekeep", ids=[line["id"]]).json() == {"ids": [line["id"]]}
    assert not ada.state()["lines"][0]["unkept"]
    assert ada.post("unkeep", ids=[line["id"], "nothing"]).json() == {"ids": [line["id"]]}
    done = ada.post("undo", id=line["id"]).json()
    assert done["words"].startswith("My tin")
    assert ada.lines() == []


def test_off_the_record_only_the_tab_that_said_it_hears(talk_with: Open) -> None:
    """Another tab of the same person waits in line, and no file holds the words."""
    begun, may_go_on = threading.Event(), threading.Event()

    def answer(_: Sequence[Message]) -> Iterable[str]:
        yield "In the barn"
        begun.set()
        assert may_go_on.wait(20)

    ada = talk_with(ScriptedChatModel(otherwise=answer))
    ada.post("say", key="off", words="The treasure is hidden.", off_record=True)
    assert begun.wait(20)
    assert ada.state()["running"]["said"] == "In the barn"
    ada.tab = "another"
    assert ada.state()["running"] is None
    may_go_on.set()
    ada.wait()
    assert ada.lines() == []
    files = [it.read_bytes() for it in ada.backend.settings.home.rglob("*") if it.is_file()]
    assert not [it for it in files if b"treasure" in it or b"barn" in it]
    assert "nothing of it is kept" in ended_of(ada)["cards"]


def test_lines_further_back_come_thirty_at_a_time(talk_with: Open) -> None:
    """Until the first, and none is missing between."""
    ada = talk_with()
    for number in range(64):
        ada.say(f"Number {number}.")
    state = ada.state()
    found = state["lines"]
    assert (len(found), state["earlier"]) == (30, True)
    for length, more in ((60, True), (64, False)):
        told = ada.get("earlier", id=found[0]["id"]).json()
        found = told["lines"] + found
        assert (len(found), told["earlier"]) == (length, more)
    assert [it["query"] for it in found] == [f"Number {number}." for number in range(64)]


def test_where_people_log_in_the_log_in_alone_counts(talk_with: Open, auth: Path) -> None:
    """Ben who names Ada reads and writes what is Ben's; nobody logged in reads nothing."""
    page = talk_with(auth=auth)
    page.http.headers["x-user"] = "Ada"
    page.say("My tin is under the third step.")
    page.http.headers["x-user"] = "Ben"
    assert page.state()["person"] == "Ben"
    assert page.lines() == []
    turn = next(iter(page.backend.store.load(Scope.of("Ada")).turns()))
    for path in ("undo", "unkeep", "say"):
        told = page.post(path, id=turn.id, ids=[turn.id], again=turn.id, key="x", words="Mine.")
        assert told.status_code == 409, path
    assert page.get("cards", id=turn.id).status_code == 409
    assert page.get("earlier", id=turn.id).status_code == 409
    assert next(iter(page.backend.store.load(Scope.of("Ada")).turns())) == turn
    del page.http.headers["x-user"]
    for path in ("state", "events", "cards"):
        assert page.get(path, id=turn.id).status_code == 401
    assert page.post("say", key="y", words="Hello.").status_code == 401


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("say", {"key": "k", "words": " "}, 409),
        ("say", {"key": "k", "words": "x" * (LONGEST_MESSAGE + 1)}, 422),
        ("say", {"key": "no key!", "words": "x"}, 422),
        ("say", {"words": "x"}, 422),
        ("say", {"key": "k", "words": "x", "tab": "<tab>"}, 422),
        ("say", {"key": "k", "words": "x", "language": "xx"}, 422),
        ("say", {"key": "k", "words": "x", "person": ""}, 409),
        ("say", {"key": "k", "words": "x", "person": "../Ada"}, 400),
        ("say", {"key": "k", "words": "x", "person": "x" * 2000}, 422),
        ("undo", {"id": "x" * 300}, 422),
        ("unkeep", {"ids": ["x"] * 200}, 422),
        ("unkeep", {"ids": "x"}, 422),
        ("open", {"person": ["Ada"]}, 422),
    ],
    ids=lambda it: str(it)[:30],
)
def test_what_is_no_request_is_refused(
    talk_with: Open, path: str, body: dict[str, Any], status: int
) -> None:
    """With a sentence as JSON, and nothing is kept of it."""
    ada = talk_with()
    told = ada.post(path, **body)
    assert told.status_code == status
    assert told.json()["message"]
    assert ada.backend.store.scopes() == []


def test_what_is_no_json_is_refused(talk_with: Open) -> None:
    """Cut, empty, or another thing altogether."""
    ada = talk_with()
    for body in (b"", b"{", b"[]", b"\xff\xfe", b'"x"'):
        told = ada.http.post("/talk/say", content=body)
        assert (told.status_code, told.json()["error"]) == (422, "bad_request")

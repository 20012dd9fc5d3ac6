"""Parts of the talk, the search and the choice of an answer, over the page's own addresses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from siliconfriend.config import Settings
from siliconfriend.control.erasure.erase import erase
from siliconfriend.memory.changes import PutDerived, PutTurn
from siliconfriend.memory.records import Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.memory.people import NOW, a_turn, an_insight
from tests.webui.talker import Visitor
from webui.backend import Backend
from webui.talk.routes import talk_route

DAY = "2026-11-20"
NORA = Scope.of("Nora")


@pytest.fixture
def nora(settings: Settings, clock: MovingClock) -> Iterator[Visitor]:
    """A tab of Nora's, who lives in Tokyo and has said forty rows."""
    backend = Backend(settings, clock, ScriptedChatModel(["One.", "Two.", "Three."]))
    backend.store.create(NORA, Profile("Nora", "en", "Asia/Tokyo", NOW))
    with backend.store.edit(NORA) as edit:
        for row in range(40):
            turn = a_turn(f"Row {row} of beans.", day=DAY, position=row, scope=NORA)
            at = datetime.fromisoformat(f"{DAY}T03:{row:02}+00:00")
            edit.add(PutTurn(replace(turn, time=at)))
    app = Starlette(routes=[talk_route(backend, None)])
    yield Visitor(backend, TestClient(app), "Nora")
    backend.replies.close(20)


def ids(nora: Visitor) -> list[str]:
    """The ids of her rows."""
    return [turn.id for turn in nora.backend.store.load(NORA).turns()]


def test_lines_are_given_before_after_and_around_one(nora: Visitor) -> None:
    """On her own clock; a memory stands for the line in which it was first said."""
    rows = ids(nora)
    state = nora.state()
    assert (state["today"], state["earlier"]) == ("2026-11-21", True)
    assert state["lines"][0]["time"] == "2026-11-20T12:10:00+09:00"
    earlier = nora.get("earlier", id=state["lines"][0]["id"]).json()
    assert [it["id"] for it in earlier["lines"]] == rows[:10]
    assert (earlier["earlier"], earlier["later"]) == (False, True)
    later = nora.get("later", id=rows[37]).json()
    assert ([it["id"] for it in later["lines"]], later["later"]) == (rows[38:], False)
    thought = an_insight("Nora gardens.", evidence=[rows[20]], day=DAY, scope=NORA)
    with nora.backend.store.edit(NORA) as edit:
        edit.add(PutDerived(thought))
    around = nora.get("around", id=thought.id, most=3).json()
    assert around["line"] == rows[20]
    assert [it["id"] for it in around["lines"]] == rows[19:22]
    for bad in ("", "../..", "turn-2026-11-20-99-00000000"):
        answer = nora.get("around", id=bad)
        assert (answer.status_code, answer.json()["error"]) == (409, "line_gone")
    assert nora.get("around", id=rows[0], most=100_000).status_code == 422


def test_the_search_gives_lines_a_page_at_a_time(nora: Visitor) -> None:
    """Newest first, with what was found marked; without words nothing."""
    first = nora.post("search", words="beans row").json()
    assert [it["id"] for it in first["lines"]] == ids(nora)[:19:-1]
    assert first["more"]
    line = first["lines"][0]
    assert (line["date"], line["time"][11:16], line["by"]) == (DAY, "12:39", "person")
    marked = [["Row", True], [" 39 of ", False], ["beans", True], [".", False]]
    assert line["excerpt"] == marked
    second = nora.post("search", words="beans row", before=first["lines"][-1]["id"]).json()
    assert ([it["id"] for it in second["lines"]], second["more"]) == (ids(nora)[19::-1], False)
    assert nora.post("search", words=" ").json()["lines"] == []
    assert nora.post("search", words="x" * 401).status_code == 422
    nora.person = "Ben"
    assert nora.post("search", words="beans").status_code == 409


def test_an_answer_is_chosen_among_those_that_were_given(nora: Visitor) -> None:
    """Of the last message alone, and not once something was erased that it may quote."""
    nora.say("Count for me.")
    line = nora.state()["lines"][-1]["id"]
    assert nora.state()["answers"] is None
    nora.say("", again=line)
    told = nora.state()["answers"]
    assert [it["response"] for it in told["versions"]] == ["One.", "Two."]
    assert (told["id"], told["stands"]) == (line, 1)
    assert nora.post("choose", id=line, version=0).status_code == 200
    assert nora.state()["lines"][-1]["response"] == "One."
    assert nora.state()["answers"]["stands"] == 0
    refused = nora.post("choose", id=line, version=2)
    assert (refused.status_code, refused.json()["error"]) == (409, "answer_gone")
    assert nora.post("choose", id=ids(nora)[0], version=0).json()["error"] == "talk_moved_on"
    backend = nora.backend
    rewrite = backend.runtime.rewrite_index
    erase(backend.store, NORA, ids(nora)[:1], home=backend.settings.home, rewrite_index=rewrite)
    assert nora.state()["answers"] is None
    assert nora.post("choose", id=line, version=1).json()["error"] == "answer_gone"
    assert nora.state()["lines"][-1]["response"] == "One."

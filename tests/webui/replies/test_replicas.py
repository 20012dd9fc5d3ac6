"""Two processes of the page over one database: one answers at a time, and each sees the other's words."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.creation import new_profile, new_turn
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.memory.scope import Scope
from siliconfriend.shared.factory import state_on_files
from siliconfriend.shared.postgres.replicas import SeveralProcesses
from siliconfriend.shared.replicas import TalkState
from webui.replies.running_replies import Answer, End, Message, RunningReply, Talk
from webui.replies.talks import RunningReplies, answered_elsewhere
from webui.replies.watching import Watch

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
ADA, BEN = Scope("Ada"), Scope("Ben")
PATIENCE = 20


class Stage:
    """What two processes say, in the order in which it is said.

    Attributes:
        said: each reply's beginning and end.
        may_end: lets the replies go on that wait in their middle.
    """

    def __init__(self) -> None:
        self.said: list[str] = []
        self.may_end = threading.Event()
        self.has_begun = threading.Event()

    def answer(self, _scope: Scope) -> Answer:
        def answer(_talk: Talk, reply: RunningReply) -> Generator[str, None, End]:
            words = reply.message.words
            self.said.append(f"{words} begins")
            self.has_begun.set()
            yield "half"
            assert self.may_end.wait(PATIENCE)
            self.said.append(f"{words} ends")
            yield "rest"
            return "whole"

        return answer


def _message(words: str) -> Message:
    return Message(words, words, "tab", "en", NOW)


def _heard(talk: Talk, name: str) -> Callable[[], bool]:
    return lambda: any(it.name == name for it in talk.events.since(0) or ())


def _until(happens: Callable[[], bool]) -> None:
    deadline = threading.Event()
    for _ in range(PATIENCE * 200):
        if happens():
            return
        deadline.wait(0.005)
    raise AssertionError("it did not happen")


@pytest.fixture
def store(database: Database) -> PostgresStore:
    store = PostgresStore(database)
    for scope in (ADA, BEN):
        store.create(scope, new_profile(scope, language="en", timezone="UTC", now=NOW))
    return store


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest.fixture
def pages(database: Database, stage: Stage) -> Iterator[tuple[RunningReplies, RunningReplies]]:
    """The talks of two processes."""
    two = tuple(
        RunningReplies(stage.answer, SeveralProcesses(database, every=0.01)) for _ in range(2)
    )
    yield two[0], two[1]
    stage.may_end.set()
    for it in two:
        it.close(PATIENCE)


def test_the_second_process_answers_when_the_first_has(
    pages: tuple[RunningReplies, RunningReplies], stage: Stage, store: PostgresStore
) -> None:
    here, there = pages
    here.say(ADA, _message("one"))
    _until(stage.has_begun.is_set)
    there.say(ADA, _message("two"))
    there.say(BEN, _message("other"))
    _until(lambda: "other begins" in stage.said)
    assert stage.said == ["one begins", "other begins"]
    stage.may_end.set()
    _until(_heard(there.talk(ADA), "ended"))
    hers = [it for it in stage.said if not it.startswith("other")]
    assert hers == ["one begins", "one ends", "two begins", "two ends"]


def test_a_reply_is_stopped_from_the_other_process(
    pages: tuple[RunningReplies, RunningReplies], stage: Stage, store: PostgresStore
) -> None:
    """What follows in either process begins at once, though the model is silent still."""
    here, there = pages
    here.say(ADA, _message("one"))
    _until(stage.has_begun.is_set)
    there.stop(ADA)
    _until(_heard(here.talk(ADA), "ended"))
    ended = next(it for it in here.talk(ADA).events.since(0) or () if it.name == "ended")
    assert ended.data["end"] == "stopped"
    there.say(ADA, _message("two"))
    _until(lambda: "two begins" in stage.said)
    assert stage.said == ["one begins", "two begins"]


def test_a_message_that_waits_for_another_process_can_be_stopped(
    pages: tuple[RunningReplies, RunningReplies], stage: Stage, store: PostgresStore
) -> None:
    here, there = pages
    here.say(ADA, _message("one"))
    _until(stage.has_begun.is_set)
    there.say(ADA, _message("two"))
    there.stop(ADA)
    _until(_heard(there.talk(ADA), "ended"))
    assert here.talk(ADA).running is not None
    stage.may_end.set()
    _until(_heard(here.talk(ADA), "ended"))
    assert stage.said == ["one begins", "one ends"]


def test_a_tab_hears_of_what_the_other_process_wrote(
    pages: tuple[RunningReplies, RunningReplies], database: Database, store: PostgresStore
) -> None:
    """Once for each change, and never of what it was shown already."""
    here, _ = pages
    followed = {ADA: here.talk(ADA)}
    watch = Watch(SeveralProcesses(database), lambda: followed, every=3600)
    watch.note(ADA, TalkState(1, is_answered=False))
    watch.look()
    assert not _heard(here.talk(ADA), "changed")()
    with store.edit(ADA) as edit:
        edit.add(PutTurn(new_turn(ADA, edit.memory, "Hello", now=NOW)))
    watch.look()
    watch.look()
    assert [it.name for it in here.talk(ADA).events.since(0) or ()] == ["changed"]
    watch.let_go(ADA)
    with store.edit(ADA) as edit:
        edit.add(PutTurn(new_turn(ADA, edit.memory, "Again", now=NOW)))
    watch.look()
    assert [it.name for it in here.talk(ADA).events.since(0) or ()] == ["changed"]
    watch.close()


def test_what_another_process_answers_is_shown_as_running(
    pages: tuple[RunningReplies, RunningReplies], stage: Stage, store: PostgresStore
) -> None:
    here, there = pages
    assert answered_elsewhere(there.stands(ADA), store.load(ADA), "en") is None
    with store.edit(ADA) as edit:
        turn = new_turn(ADA, edit.memory, "Hello", now=NOW)
        edit.add(PutTurn(turn))
    assert answered_elsewhere(there.stands(ADA), store.load(ADA), "en") is None
    here.say(ADA, _message("Hello"))
    _until(stage.has_begun.is_set)
    running = answered_elsewhere(there.stands(ADA), store.load(ADA), "en")
    assert running is not None
    assert (running.turn, running.message.words, running.words) == (turn.id, "Hello", "")
    with store.edit(ADA) as edit:
        edit.add(PutTurn(replace(turn, response="Hello yourself")))
    assert answered_elsewhere(there.stands(ADA), store.load(ADA), "en") is None


def test_one_process_on_files_asks_nobody(tmp_path: Path, stage: Stage) -> None:
    replies = RunningReplies(stage.answer, state_on_files(tmp_path).replicas)
    assert replies.stands(ADA) is None
    stage.may_end.set()
    replies.say(ADA, _message("one"))
    _until(_heard(replies.talk(ADA), "ended"))
    assert stage.said == ["one begins", "one ends"]
    replies.close(PATIENCE)

"""`memories` with facts and events: whom they are about, what they rest on, what they replaced."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language
from tests.cli.conftest import Run
from tests.memory.stored import put

ADA = Scope.of("Ada")
DAY = "2026-03-02"
SAID = datetime(2026, 3, 3, 3, tzinfo=UTC)
TURN = memory_id(ADA, "turn", DAY, 0)
OLD, NEW = (memory_id(ADA, "fact", DAY, number) for number in (0, 1))
EVENT = memory_id(ADA, "event", DAY, 0)


@pytest.fixture(autouse=True)
def _known(run: Run, bank: Path, home: Path) -> None:
    """Ada has a cat, which was first taken for a dog; and the cat ran away."""
    run("import", str(bank))
    made = Provenance("openai:x", SAID, (TURN,))
    facts = [
        Fact(
            id=identifier,
            date=DAY,
            position=number,
            text=text,
            trace=Trace(SAID),
            provenance=made,
            entity="Biscuit",
            entity_type="specific",
            aspect="attribute",
            first=DAY,
            last=DAY,
            superseded_by=replaced,
        )
        for number, (identifier, text, replaced) in enumerate(
            ((OLD, "Biscuit is Ada's dog.", NEW), (NEW, "Biscuit is Ada's cat.", ""))
        )
    ]
    event = Event(
        id=EVENT,
        date=DAY,
        position=0,
        text="Biscuit ran away in the storm.",
        trace=Trace(SAID),
        provenance=made,
        time=datetime(2026, 3, 1, 22, 30, tzinfo=UTC),
        place="the harbour",
        key_words=("storm",),
    )
    put(FileStore(home), ADA, *(PutDerived(it) for it in (*facts, event)))


def test_list_shows_whom_and_when(run: Run) -> None:
    """For a person a line more; as JSON all fields of the kind, and the evidence."""
    by_id = {
        it["id"]: it for it in run("memories", "list", "--user", "Ada", "--json").json["memories"]
    }
    fact = by_id[NEW]
    assert (fact["entity"], fact["aspect"], fact["first"], fact["last"]) == (
        *("Biscuit", "attribute"),
        *(DAY, DAY),
    )
    assert (fact["from_ids"], by_id[OLD]["superseded_by"]) == ([TURN], NEW)
    assert (by_id[EVENT]["place"], by_id[EVENT]["key_words"]) == ("the harbour", ["storm"])
    shown = run("memories", "list", "--user", "Ada").out
    assert f"      about Biscuit (what they are like), told from {DAY} to {DAY}\n" in shown
    assert f"      no longer holds; in its place: {NEW}\n" in shown
    assert "      2026-03-01 22:30 · the harbour\n" in shown


@pytest.mark.parametrize(
    ("language", "words"), [("en", "before it: Biscuit is Ada's dog."), ("cn", "此前：Biscuit")]
)
def test_show_tells_what_a_fact_replaced(
    run: Run, language: Language, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its history, by id and in words."""
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", language)
    shown = run("memories", "show", "--user", "Ada", NEW)
    assert words in shown.out
    (before,) = run("memories", "show", "--user", "Ada", NEW, "--json").json["memory"]["history"]
    assert (before["id"], before["text"]) == (OLD, "Biscuit is Ada's dog.")


def test_facts_are_searched_pinned_and_put_right(run: Run) -> None:
    """By kind and words; an edit is the person's own."""
    found = run("memories", "search", "--user", "Ada", "--kind", "fact", "cat", "--json").json
    assert NEW in [it["id"] for it in found["memories"]]
    assert run("memories", "pin", "--user", "Ada", "--query", "Ada's cat", "--yes").code == 0
    done = run("memories", "edit", "--user", "Ada", NEW, "--text", "Biscuit is Ada's kitten.")
    assert done.code == 0
    row = run("memories", "show", "--user", "Ada", NEW, "--json").json["memory"]
    assert (row["text"], row["made_by"], row["pinned"]) == (
        *("Biscuit is Ada's kitten.", "person"),
        True,
    )


def test_a_fact_can_be_erased_with_proof(run: Run) -> None:
    """What it had replaced holds again, and nothing of its sentence is left."""
    erased = run("memories", "erase", "--user", "Ada", NEW, "--yes", "--json").json
    assert (erased["erased"], erased["left"]) == ([NEW], 0)
    row = run("memories", "show", "--user", "Ada", OLD, "--json").json["memory"]
    assert row["superseded_by"] == ""

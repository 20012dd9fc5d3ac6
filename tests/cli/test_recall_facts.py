"""`recall` and `memories search --entity` with what is known about people and things."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from tests.cli.conftest import Run
from tests.recall.known_people import a_fact, know

ADA = Scope.of("Ada")
CAT = "Biscuit is Ada's cat."
AUNT = "Aunt May feeds Biscuit on Sundays."


@pytest.fixture(autouse=True)
def _known(run: Run, bank: Path, home: Path) -> None:
    """Ada has a cat, and an aunt who feeds it."""
    run("import", str(bank))
    facts = [
        a_fact(CAT, entity="Biscuit", entity_type="specific", key_word="cat"),
        a_fact(AUNT, entity="Aunt May", entity_type="specific", aspect="relation"),
    ]
    know(FileStore(home), facts, ADA)


def test_recall_json_gives_facts_with_whom_they_are_about(run: Run) -> None:
    """The fields of every memory, and those of a fact; the sections are made of them too."""
    done = run("recall", "--user", "Ada", "What is my cat called?", "--json").json
    (fact,) = (it for it in done["facts"] if it["text"] == CAT)
    assert fact.keys() == {
        *("id", "kind", "date", "time", "turn", "text", "score", "parts", "state", "strength"),
        *("retention", "entity", "entity_type", "aspect", "key_word", "first", "last"),
    }
    assert (fact["kind"], fact["entity"], fact["entity_type"]) == ("fact", "Biscuit", "specific")
    assert (fact["aspect"], fact["key_word"], fact["last"]) == ("attribute", "cat", "2026-03-01")
    assert not any(it["kind"] == "fact" for it in done["memories"])
    assert CAT in done["sections"]["known"]
    assert {"expansion", "facts"} <= done["timings_ms"].keys()


def test_recall_shows_what_is_known_before_what_was_said(run: Run) -> None:
    """Under a heading of its own, with score and parts."""
    shown = run("recall", "--user", "Ada", "What is my cat called?").out
    assert shown.startswith("What is known:\n")
    assert CAT in shown
    assert "words " in shown


@pytest.mark.parametrize("said_at", [datetime(2026, 3, 15, 9, tzinfo=UTC)])
def test_reinforcing_strengthens_facts(run: Run, home: Path, said_at: datetime) -> None:
    """As it does what was said."""
    run("recall", "--user", "Ada", "my cat", "--reinforce", now=said_at.isoformat())
    (cat,) = (it for it in FileStore(home).load(ADA).facts() if it.text == CAT)
    assert cat.trace.recalls == (said_at,)


@pytest.mark.parametrize(
    ("entity", "texts"),
    [("Biscuit", [CAT]), ("aunt may", [AUNT]), ("May", [AUNT]), ("Ada", []), ("Bis", [CAT])],
)
def test_facts_are_found_by_whom_they_are_about(run: Run, entity: str, texts: list[str]) -> None:
    """Not by whom they name besides."""
    words = ("memories", "search", "--kind", "fact", "--entity", entity, "--user", "Ada", "--json")
    assert [it["text"] for it in run(*words).json["memories"]] == texts


def test_words_and_an_entity_together_narrow_facts(run: Run) -> None:
    """Best first among those about it."""
    words = ("memories", "search", "cat", "--kind", "fact", "--entity", "Biscuit", "--user", "Ada")
    assert [it["text"] for it in run(*words, "--json").json["memories"]] == [CAT]
    other = ("memories", "search", "tram", "--kind", "fact", "--entity", "Biscuit", "--user", "Ada")
    assert run(*other, "--json").json["memories"] == []


def test_an_operators_table_that_cannot_be_read_is_named(run: Run, home: Path) -> None:
    """With its line, and as a matter of configuration."""
    (home / "associations.tsv").write_text("cat kitten 9\n", "utf-8")
    done = run("recall", "--user", "Ada", "cat")
    assert done.code == 3
    assert "Line 1" in done.err


def test_a_companion_called_by_its_own_name_is_not_searched_for(run: Run, home: Path) -> None:
    """The name that stands in its file counts, not the one it is known by in commands."""
    fence = a_fact("A robin nests by the fence.", entity="robin", entity_type="general")
    know(FileStore(home), [fence], Scope.of("Ada", "helper"))
    asked = ("recall", "--user", "Ada", "--companion", "helper", "Robin, is the kettle on?")
    assert len(run(*asked, "--json").json["facts"]) == 1
    run("companion", "create", "helper", "--called", "Robin")
    assert run(*asked, "--json").json["facts"] == []

"""Notes: what they hold, that no words pass for marks of ours, and what they never write over."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from siliconfriend.control.notes import escape_inline, quote, write_notes
from siliconfriend.errors import UsageError
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutTurn
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import Provenance
from tests.control.world import NORA, World
from tests.night.world import working_model

NOW = datetime(2026, 3, 4, tzinfo=UTC)


def told(world: World) -> None:
    """Two days, a fact about a friend, a promise."""
    said = world.say("Kit and I met in Lima.\n\n# Front\n[[Kit]]", "Tell me more!")
    world.say("I told Kit everything.", on="2026-03-05")
    trace, made = Trace(NOW), Provenance("offline", NOW, (said,))
    for draft in (
        FactDraft("Kit plays the oboe.", entity="Kit", entity_type="specific"),
        FactDraft("I will ask.", entity_type="subject", aspect="promise"),
    ):
        days = {"first": "2026-03-02", "last": "2026-03-02"}
        with world.store.edit(world.scope) as edit:
            fact = draft.to_fact(edit.memory, world.scope, **days, trace=trace, provenance=made)
            edit.add(PutDerived(fact))


def write(world: World, folder: Path) -> dict[str, str]:
    """Write the notes; each with its words."""
    write_notes(folder, world.memory(), "Pal")
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.md"))
    }


def test_notes_hold_days_facts_promises_and_the_person(files: World, tmp_path: Path) -> None:
    told(files)
    files.night(working_model())
    before = files.memory()
    written = write(files, tmp_path / "vault")
    assert list(written) == [
        *("Promises.md", "Start here.md", "What is known.md"),
        *("days/2026-03-02.md", "days/2026-03-05.md"),
    ]
    day = written["days/2026-03-02.md"]
    assert day.startswith('---\nkind: "day"\ndate: "2026-03-02"\n')
    assert "[[days/2026-03-05|2026-03-05]] →" in day
    assert "> Kit and I met in Lima.  \n>\n> \\# Front  \n> \\[\\[Kit\\]\\]\n" in day
    assert "- Kit plays the oboe. ([[days/2026-03-02|2026-03-02]])" in written["What is known.md"]
    assert "- I will ask." in written["Promises.md"]
    assert "[[Promises]]" in written["Start here.md"]
    assert "## Portrait" in written["Start here.md"]
    assert write(files, tmp_path / "other") == written
    assert files.memory() == before
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "vault").rglob("*")} == {0}


def test_what_was_put_away_says_so_and_what_is_not_to_be_kept_is_away(
    files: World, tmp_path: Path
) -> None:
    one, two = files.say("It rained."), files.say("Never mind this.")
    put_away, unkept = files.turn(one), replace(files.turn(two), unkept=True)
    put_away = replace(put_away, trace=replace(put_away.trace, archived=NOW))
    with files.store.edit(NORA) as edit:
        edit.add(PutTurn(put_away), PutTurn(unkept))
    page = write(files, tmp_path / "vault")["days/2026-03-02.md"]
    assert "**Nora** 12:00 put away" in page
    assert "Never mind" not in page


@pytest.mark.parametrize("folder", ["strange", "strange/thesis.md"])
def test_nothing_is_written_over(files: World, tmp_path: Path, folder: str) -> None:
    files.say("It rained.")
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "thesis.md").write_text("mine")
    with pytest.raises(UsageError, match="a new or an empty folder"):
        write(files, tmp_path / folder)
    assert [path.name for path in (tmp_path / "strange").iterdir()] == ["thesis.md"]


def test_an_erasing_names_notes_in_the_data_directory(files: World) -> None:
    secret = files.say("My *secret* parrot.", "")
    write(files, files.home / "notes")
    assert files.erase(secret).found_in == ("notes/days/2026-03-02.md",)


@pytest.mark.parametrize(
    "words",
    [
        "[[Somebody else]]",
        "[click](https://evil.example)",
        "<script>alert(1)</script>",
        "#tag and ^block",
        "%%hidden%%",
        "$x$ ==marked== ~~gone~~ `code`",
        "mood:: fine",
        "<%tp.system%>",
    ],
)
def test_no_mark_is_left(words: str) -> None:
    escaped = escape_inline(words)
    assert re.search(r"(?<!\\)[\[\]<>#|`*_~$=^%&{}]", escaped) is None
    assert "::" not in escaped
    assert escaped.replace("\\", "") == words


@pytest.mark.parametrize(
    ("words", "escaped"),
    [
        ("- a list", r"\- a list"),
        ("1. first", r"1\. first"),
        ("---", r"\---"),
        ("2026 was good.", "2026 was good."),
        ("a\x1b[31m\u202eb\x00", r"a\[31mb"),
    ],
)
def test_the_beginning_of_a_line_begins_nothing(words: str, escaped: str) -> None:
    assert escape_inline(words) == escaped


@given(some.text(max_size=80))
def test_a_quotation_never_ends_early(words: str) -> None:
    assert all(line.startswith(">") for line in quote(words).split("\n") if quote(words))

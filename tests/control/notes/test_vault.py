"""Notes: written, written again, kept apart from what is not theirs, and reached by erasing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.control.notes.vault import MANIFEST, write_notes
from siliconfriend.errors import UsageError
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutTurn
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language
from tests.control.world import NORA, World
from tests.night.world import working_model

SECRET = "My parrot is called *Zanzifrax*."
NOW = datetime(2026, 3, 4, tzinfo=UTC)


def told(world: World) -> None:
    """Two days, a fact about a friend, a place, a promise."""
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
    with world.store.edit(world.scope) as edit:
        event = EventDraft("They met.", place="Lima").to_event(
            edit.memory, world.scope, date="2026-03-02", trace=trace, provenance=made
        )
        edit.add(PutDerived(event))


def write(world: World, folder: Path) -> dict[str, str]:
    """Write the notes; each with its words."""
    write_notes(folder, world.memory(), world.scope, "Pal")
    return notes(folder)


def notes(folder: Path) -> dict[str, str]:
    """The notes of a folder by their path."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.md"))
    }


def test_a_day_a_name_a_place_and_the_person(files: World, tmp_path: Path) -> None:
    """Each has its note with links to the others; nothing said can pass for a mark of ours."""
    told(files)
    written = write(files, tmp_path / "vault")
    assert list(written) == [
        *("Nora.md", "Promises.md", "What is known.md", "days/2026-03-02.md"),
        *("days/2026-03-05.md", "names/Kit.md", "places/Lima.md"),
    ]
    day = written["days/2026-03-02.md"]
    assert day.startswith('---\nkind: "day"\ndate: "2026-03-02"\n')
    assert "[[days/2026-03-05|2026-03-05]] →" in day
    assert "> Kit and I met in Lima.  \n>\n> \\# Front  \n> \\[\\[Kit\\]\\]\n" in day
    assert day.endswith("- They met. ([[places/Lima|Lima]])\n")
    assert "- Kit plays the oboe. ([[days/2026-03-02|2026-03-02]])" in written["names/Kit.md"]
    assert written["names/Kit.md"].endswith("- [[days/2026-03-05|2026-03-05]]\n")
    assert "- I will ask." in written["Promises.md"]
    assert "[[names/Kit|Kit]]" in written["Nora.md"]


@pytest.mark.parametrize(
    ("language", "folder", "heading"), [("en", "days", "What was said"), ("cn", "日子", "说过的话")]
)
def test_in_the_language_of_the_person(
    home: Path, files: World, tmp_path: Path, language: Language, folder: str, heading: str
) -> None:
    """Folders and headings too."""
    world = World(files.store, files.settings, Scope.of("Ada"), language=language)
    world.say("It rained. 下雨了。")
    written = write(world, tmp_path / "vault")
    assert f"## {heading}" in written[f"{folder}/2026-03-02.md"]


def test_again_gives_the_same_bytes_and_changes_nothing_of_the_memory(
    files: World, tmp_path: Path
) -> None:
    """Portraits of a night among them; another folder holds the same."""
    told(files)
    files.night(working_model())
    before = files.memory()
    first = write(files, tmp_path / "vault")
    manifest = (tmp_path / "vault" / MANIFEST).read_bytes()
    assert write(files, tmp_path / "vault") == first == write(files, tmp_path / "other")
    assert (tmp_path / "other" / MANIFEST).read_bytes() == manifest
    assert files.memory() == before
    assert {it.stat().st_mode & 0o077 for it in (tmp_path / "vault").rglob("*")} == {0}
    assert "## Portrait" in first["Nora.md"]


def test_what_was_put_away_says_so_and_what_is_not_to_be_kept_is_away(
    files: World, tmp_path: Path
) -> None:
    """Forgetting takes nothing out of the notes, the person's own wish does."""
    one, two = files.say("It rained."), files.say("Never mind this.")
    put_away, unkept = files.turn(one), replace(files.turn(two), unkept=True)
    put_away = replace(put_away, trace=replace(put_away.trace, archived=NOW))
    with files.store.edit(NORA) as edit:
        edit.add(PutTurn(put_away), PutTurn(unkept))
    page = write(files, tmp_path / "vault")["days/2026-03-02.md"]
    assert "**Nora** 12:00 put away" in page
    assert "Never mind" not in page


def test_a_day_that_is_gone_leaves_the_folder_and_one_s_own_notes_stay(
    files: World, tmp_path: Path
) -> None:
    """Obsidian's settings and notes of one's own are nobody's business."""
    files.say("It rained.")
    gone = files.say("It snowed.", on="2026-03-05")
    vault = tmp_path / "vault"
    write(files, vault)
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "app.json").write_text("{}")
    (vault / "My own.md").write_text("mine")
    files.erase(gone)
    assert set(write(files, vault)) == {"Nora.md", "My own.md", "days/2026-03-02.md"}
    assert (vault / ".obsidian" / "app.json").read_text() == "{}"


def test_what_is_not_ours_is_never_written_over(files: World, tmp_path: Path) -> None:
    """A strange folder, a file, another's notes, a note changed by hand, one in the way."""
    files.say("It rained.")
    vault = tmp_path / "vault"
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "thesis.md").write_text("mine")
    with pytest.raises(UsageError, match="no notes of this program"):
        write(files, tmp_path / "strange")
    with pytest.raises(UsageError, match="is a file"):
        write(files, tmp_path / "strange" / "thesis.md")
    write(files, vault)
    other = World(files.store, files.settings, Scope.of("Otto"))
    with pytest.raises(UsageError, match="holds the notes of Nora"):
        write(other, vault)
    (vault / "days" / "2026-03-02.md").write_text("my edit")
    files.say("It snowed.", on="2026-03-05")
    with pytest.raises(UsageError, match=r"2026-03-02.md was changed by hand"):
        write(files, vault)
    assert (vault / "days" / "2026-03-02.md").read_text() == "my edit"
    assert not (vault / "days" / "2026-03-05.md").exists()
    (vault / "days" / "2026-03-02.md").unlink()
    (vault / "days" / "2026-03-05.md").write_text("in the way")
    with pytest.raises(UsageError, match=r"2026-03-05.md was changed by hand"):
        write(files, vault)


def test_one_that_was_stopped_is_finished_by_the_next(
    files: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after any note, the same command writes the rest and refuses nothing."""
    from siliconfriend.control.notes import vault as module

    told(files)
    whole = write(files, tmp_path / "whole")
    real = module.atomic.write_whole
    for stop in range(1, len(whole) + 2):
        folder, left = tmp_path / f"vault-{stop}", [stop]

        def stopping(path: Path, data: bytes, left: list[int] = left) -> None:
            if not left[0]:
                raise OSError("no room")
            left[0] -= 1
            real(path, data)

        monkeypatch.setattr(module.atomic, "write_whole", stopping)
        with pytest.raises(OSError, match="no room"):
            write(files, folder)
        monkeypatch.setattr(module.atomic, "write_whole", real)
        assert write(files, folder) == whole


def test_an_erasing_names_notes_in_the_data_directory(files: World) -> None:
    """Notes are an export: they are left as they are, and found although words are escaped."""
    secret = files.say("My *secret* parrot.", "")
    write(files, files.home / "notes")
    assert files.erase(secret).places == ("notes/days/2026-03-02.md",)


def test_a_list_that_points_out_of_its_folder_is_not_followed(files: World, tmp_path: Path) -> None:
    """Nothing outside is written or removed, whatever the list says."""
    files.say("It rained.")
    vault, outside = tmp_path / "vault", tmp_path / "outside.md"
    outside.write_text("mine")
    write(files, vault)
    manifest = vault / MANIFEST
    words = manifest.read_text(encoding="utf-8").replace(
        '"files": {', '"files": {"../outside.md": [],'
    )
    manifest.write_text(words, encoding="utf-8")
    write(files, vault)
    assert outside.read_text() == "mine"

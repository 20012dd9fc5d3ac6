"""An index opened from a snapshot is the one that was left, less what does not fit any more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory import codec
from siliconfriend.memory.changes import Change, Erase, PutTurn, apply_all
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall import index
from siliconfriend.recall.index import ROWS, ScopeIndex
from siliconfriend.recall.index_file import INDEX_FILE
from siliconfriend.recall.recaller import Recaller
from siliconfriend.testing import WordEmbedder
from tests.memory.people import NORA, a_profile, a_turn
from tests.recall.people import indexed, remember, turns
from tests.recall.test_index import WORDS, _memory, _seen, histories


def opened(folder: Path, memory: PersonMemory) -> ScopeIndex:
    """An index of a process that begins now."""
    found = ScopeIndex(WordEmbedder(WORDS), folder)
    found.sync(memory)
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(histories, histories)
def test_opened_from_a_snapshot_it_equals_one_made_afresh(
    tmp_path_factory: pytest.TempPathFactory,
    before: list[list[Change]],
    since: list[list[Change]],
) -> None:
    """Whatever was said, changed, put away and erased before it was written, and since."""
    folder = tmp_path_factory.mktemp("index")
    memory = apply_all(_memory(), [change for changes in before for change in changes])
    opened(folder, memory).rebuild(memory)
    later = apply_all(memory, [change for changes in since for change in changes])
    restored = opened(folder, later)
    fresh = opened(tmp_path_factory.mktemp("other"), later)
    assert _seen(restored) == _seen(fresh)
    assert restored.row_of.keys() == fresh.row_of.keys()
    assert restored.days_spoken == fresh.days_spoken
    assert _beside(restored) == _beside(fresh)
    assert _times(restored) == _times(fresh)


def test_damage_is_never_fatal_and_never_believed(tmp_path: Path) -> None:
    """Wherever a stretch of it is zero, the index is that of the memory."""
    memory = _memory([PutTurn(a_turn(f"bean heron {at}", "", position=at)) for at in range(9)])
    made = opened(tmp_path, memory)
    made.rebuild(memory)
    cache, expected = made.cache, _seen(made)
    whole = cache.read(ROWS, index.row_rules())
    assert whole
    for start in range(0, len(whole), 97):
        damaged = whole[:start] + bytes(60) + whole[start + 60 :]
        cache.write(ROWS, damaged, index.row_rules(), erasures=0)
        assert _seen(opened(tmp_path, memory)) == expected


def _beside(index: ScopeIndex) -> dict[str, list[str | None]]:
    """The turns before and after each living turn."""
    return {
        identifier: [
            index.rows.ids[at] if (at := int(index.rows[name][row])) >= 0 else None
            for name in ("previous", "following")
        ]
        for identifier, row in index.row_of.items()
    }


def _times(index: ScopeIndex) -> set[tuple[str, int, int]]:
    """The living memories and the days they speak of."""
    spans = index.times.spans.T.tolist()
    return {
        (index.rows.ids[row], first, last) for row, first, last in spans if index.rows["alive"][row]
    }


def test_of_years_at_rest_no_day_is_read_to_open_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only those that changed since, in words or in what fades; and what is found is read."""
    store = FileStore(tmp_path)
    store.create(NORA, a_profile())
    turns = [a_turn(f"bean {day}", "", day=f"2026-03-{day:02}", position=0) for day in range(1, 10)]
    with store.edit(NORA) as edit:
        edit.add(*map(PutTurn, turns))
    store.tidy(NORA)
    opened(tmp_path, store.load(NORA)).rebuild(FileStore(tmp_path).load(NORA))
    decoded: set[str | None] = set()
    parse = codec.parse

    def watched(record_type: type, form: object, date: str | None = None) -> object:
        if record_type is Turn:
            decoded.add(date)
        return parse(record_type, form, date)

    monkeypatch.setattr(codec, "parse", watched)
    found = opened(tmp_path, FileStore(tmp_path).load(NORA))
    assert len(found.rows) == 9
    assert decoded == set()
    assert found.rows.memory(found.row_of[turns[4].id]) == turns[4]
    assert decoded == {"2026-03-05"}
    pinned = replace(turns[2], trace=replace(turns[2].trace, archived=turns[2].trace.created))
    with store.edit(NORA) as edit:
        edit.add(PutTurn(pinned))
    store.tidy(NORA)
    decoded.clear()
    found = opened(tmp_path, FileStore(tmp_path).load(NORA))
    assert decoded == {"2026-03-03"}
    assert found.rows["archived"].tolist().count(True) == 1
    assert found.rows["archived"][found.row_of[pinned.id]]


def test_a_snapshot_from_before_an_erasure_brings_nothing_back(tmp_path: Path) -> None:
    """Whoever erased was stopped before the index was written anew; the rest is found as before."""
    told = [a_turn(word, "", position=at) for at, word in enumerate(("zebrafinch", "heron"))]
    memory = _memory(map(PutTurn, told))
    opened(tmp_path, memory).rebuild(memory)
    erased = apply_all(memory, [Erase((told[0].id,))])
    found = opened(tmp_path, erased)
    assert found.row_of.keys() == {told[1].id}
    found.rewrite(erased)
    assert b"zebrafinch" not in (tmp_path / INDEX_FILE).read_bytes()
    late = ScopeIndex(WordEmbedder(WORDS), tmp_path)
    late.sync(memory)
    late.keep_snapshot()
    assert b"zebrafinch" not in (tmp_path / INDEX_FILE).read_bytes()


def _months(tmp_path: Path) -> FileStore:
    """A memory of two hundred days, at rest."""
    store = FileStore(tmp_path)
    days = [f"2026-{month:02}-{day:02}" for month in range(1, 9) for day in range(1, 26)]
    remember(store, turns((day, f"bean {day}", "") for day in days))
    store.tidy(NORA)
    return store


def _night(store: FileStore) -> tuple[int, Recaller]:
    """A night by a process that begins now: how many texts it embedded."""
    recaller = Recaller(
        store,
        WordEmbedder(WORDS),
        policy=ForgettingPolicy.named("companion"),
        folder=store.folder,
    )
    return recaller.index_night(NORA), recaller


@pytest.mark.parametrize(
    "damage", [f"UPDATE made SET data = x'00' WHERE name = '{ROWS}'", "DELETE FROM vector"]
)
def test_a_damaged_snapshot_is_kept_anew_by_the_next_night(tmp_path: Path, damage: str) -> None:
    """Whoever opens the index first notices it."""
    store = _months(tmp_path)
    _night(store)
    with closing(sqlite3.connect(store.folder(NORA) / INDEX_FILE)) as base, base:
        base.execute(damage)
    opened(store.folder(NORA), store.load(NORA))
    assert indexed(_night(store)[1]) == 200
    assert ScopeIndex(WordEmbedder(WORDS), store.folder(NORA))._restore(store.load(NORA))


def test_rows_made_by_other_rules_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version may find a memory by other words."""
    memory = _memory([PutTurn(a_turn("bean", "", position=0))])
    opened(tmp_path, memory).rebuild(memory)
    assert ScopeIndex(WordEmbedder(WORDS), tmp_path)._restore(memory)
    monkeypatch.setattr(index, "row_rules", lambda: "of tomorrow")
    assert not ScopeIndex(WordEmbedder(WORDS), tmp_path)._restore(memory)

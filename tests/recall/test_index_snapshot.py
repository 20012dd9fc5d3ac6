"""An index opened from a snapshot is the one that was left, less what does not fit any more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from siliconfriend.memory import codec
from siliconfriend.memory.changes import Change, Erase, PutTurn, apply_all
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall import index_snapshot
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.index_file import SNAPSHOT_FILE
from siliconfriend.testing import WordEmbedder
from tests.memory.people import NORA, a_profile, a_turn
from tests.recall.people import a_recaller, remember
from tests.recall.test_index import WORDS, _memory, _seen, histories


def opened(folder: Path, memory: PersonMemory, embedder: WordEmbedder | None = None) -> ScopeIndex:
    """An index of a process that begins now."""
    index = closed(folder, embedder)
    index.sync(memory)
    return index


def closed(folder: Path, embedder: WordEmbedder | None = None) -> ScopeIndex:
    """The index before it was in step with anything."""
    return ScopeIndex(embedder or WordEmbedder(WORDS), folder)


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
    assert dict(restored.spoken) == dict(fresh.spoken)
    assert _beside(restored) == _beside(fresh)
    assert _times(restored) == _times(fresh)


def test_damage_is_never_fatal_and_never_believed(tmp_path: Path) -> None:
    """Wherever a stretch of it is zero, the index is that of the memory."""
    memory = _memory([PutTurn(a_turn(f"bean heron {at}", "", position=at)) for at in range(9)])
    opened(tmp_path, memory).rebuild(memory)
    whole, expected = (tmp_path / SNAPSHOT_FILE).read_bytes(), _seen(opened(tmp_path, memory))
    for start in range(0, len(whole), 97):
        (tmp_path / SNAPSHOT_FILE).write_bytes(whole[:start] + bytes(60) + whole[start + 60 :])
        assert _seen(opened(tmp_path, memory)) == expected


def test_what_is_erased_while_it_is_written_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The erasing has searched the files by then and would not know."""
    store = InMemoryStore()
    turn = a_turn("zebrafinch", "", position=0)
    remember(store, [turn])
    recaller = a_recaller(store, WordEmbedder(WORDS), tmp_path)
    save = ScopeIndex._save_snapshot

    def erased_meanwhile(index: ScopeIndex) -> None:
        save(index)
        with store.edit(NORA) as edit:
            edit.add(Erase((turn.id,)))

    monkeypatch.setattr(ScopeIndex, "_save_snapshot", erased_meanwhile)
    recaller.update_index(NORA)
    assert not (tmp_path / SNAPSHOT_FILE).exists()


def _beside(index: ScopeIndex) -> dict[str, list[str | None]]:
    """The turns before and after each living turn."""
    ids = [memory.id for memory in index.rows.memories]
    return {
        identifier: [
            ids[at] if (at := int(index.rows[name][row])) >= 0 else None
            for name in ("previous", "following")
        ]
        for identifier, row in index.row_of.items()
    }


def _times(index: ScopeIndex) -> set[tuple[str, int, int]]:
    """The living memories and the days they speak of."""
    spans = index.times.spans.T.tolist()
    return {
        (index.rows.memories[row].id, first, last)
        for row, first, last in spans
        if index.rows["alive"][row]
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
    index = opened(tmp_path, FileStore(tmp_path).load(NORA))
    assert len(index.rows) == 9
    assert decoded == set()
    assert index.rows.memories[index.row_of[turns[4].id]] == turns[4]
    assert decoded == {"2026-03-05"}
    decoded.clear()
    pinned = replace(turns[2], trace=replace(turns[2].trace, archived=turns[2].trace.created))
    with store.edit(NORA) as edit:
        edit.add(PutTurn(pinned))
    store.tidy(NORA)
    decoded.clear()
    index = opened(tmp_path, FileStore(tmp_path).load(NORA))
    assert decoded == {"2026-03-03"}
    assert index.rows["archived"].tolist().count(True) == 1
    assert index.rows["archived"][index.row_of[pinned.id]]


def test_a_snapshot_that_holds_what_is_erased_goes_when_it_is_opened(tmp_path: Path) -> None:
    """Whoever erased was stopped before the index was written anew; the rest is found as before."""
    told = [a_turn(word, "", position=at) for at, word in enumerate(("bean", "heron"))]
    memory = _memory(map(PutTurn, told))
    opened(tmp_path, memory).rebuild(memory)
    assert (tmp_path / SNAPSHOT_FILE).exists()
    erased = apply_all(memory, [Erase((told[0].id,))])
    index = opened(tmp_path, erased)
    assert not (tmp_path / SNAPSHOT_FILE).exists()
    assert index.row_of.keys() == {told[1].id}


def test_rows_made_by_other_rules_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version may find a memory by other words."""
    memory = _memory([PutTurn(a_turn("bean", "", position=0))])
    opened(tmp_path, memory).rebuild(memory)
    taken = [closed(tmp_path)._restore(memory)]
    monkeypatch.setattr(index_snapshot, "_row_rules", lambda: "of tomorrow")
    assert [*taken, closed(tmp_path)._restore(memory)] == [True, False]

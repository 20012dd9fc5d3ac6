"""What is known of each row, and the memories of some rows."""

from __future__ import annotations

from siliconfriend.memory.records import Memory
from siliconfriend.recall.memory_table import MemoryTable
from siliconfriend.recall.row_memories import RowMemories
from tests.memory.people import a_summary
from tests.recall.people import turns

SAID = turns([("2026-03-01", "first", ""), ("2026-03-01", "second", ""), ("2026-03-02", "x", "")])


def test_a_row_is_told_while_it_is_alive_and_a_turn() -> None:
    """What a night made of turns was not told; a row that is dropped stands for nothing."""
    table = MemoryTable()
    for memory in (*SAID, a_summary("All of the day.", day="2026-03-01")):
        table.append(memory, "words", memory.id)
    assert table["is_told"].tolist() == [True, True, True, False]
    table.drop(1)
    table.drop(3)
    assert table["alive"].tolist() == [True, False, True, False]
    assert table["is_told"].tolist() == [True, False, True, False]


def test_of_some_rows_only_what_is_asked_for_is_read() -> None:
    """The rest of a memory of years stays unread, whatever was found of it."""
    read: list[str] = []

    def find(identifier: str) -> Memory:
        read.append(identifier)
        return next(it for it in SAID if it.id == identifier)

    found = RowMemories([it.id for it in SAID], find).of([2, 0, 1])
    assert len(found) == 3
    assert found[1] is SAID[0]
    assert [*found[:1]] == [SAID[2]]
    assert read == [SAID[0].id, SAID[2].id]
    assert [*found] == [SAID[2], SAID[0], SAID[1]]
    assert len(read) == 3

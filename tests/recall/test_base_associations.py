"""What words bring to mind for anybody, before a person has told anything."""

from __future__ import annotations

import socket
from importlib import resources
from pathlib import Path

import pytest

from siliconfriend.api import MemoryBank
from siliconfriend.language.tokenizer import stem
from siliconfriend.recall.association_table import BASE_TABLE, FILE_NAME, AssociationTable
from siliconfriend.recall.base_associations import FILE, base_associations


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("红色的花", {"red", "flower", "植物"}),
        ("red flower", {"红色", "花", "yellow"}),
        ("我想喝咖啡", {"coffee", "茶"}),
        ("My cat is ill", {"猫", "dog"}),
    ],
)
def test_a_fresh_home_expands(tmp_path: Path, sentence: str, expected: set[str]) -> None:
    """In both languages and across them, where nobody has told anything."""
    expansion = MemoryBank(tmp_path).expand(sentence)
    assert expected <= {word for word, _ in expansion.expanded_words}


def test_it_asks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No connection is opened for it."""

    def refuse(*_: object) -> None:
        pytest.fail("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert MemoryBank(tmp_path).expand("红色的花").expanded_words


def test_the_operators_table_replaces_it(tmp_path: Path) -> None:
    """All of it: whoever wrote a table wants that one."""
    (tmp_path / FILE_NAME).write_text("红色\t玫瑰\t6\n", "utf-8")
    assert MemoryBank(tmp_path).expand("红色的花").expanded_words == (("玫瑰", 6),)


def test_what_a_person_told_comes_first() -> None:
    """Their own level counts where both have a word, and nothing stands twice."""
    base = dict(BASE_TABLE.of("coffee"))
    own = AssociationTable([("coffee", "Lisbon", 9), ("coffee", "tea", 1)], with_base=True)
    found = own.of("coffee")
    assert found[0] == ("lisbon", 9)
    assert dict(found) == {**base, "lisbon": 9, "tea": 1}
    assert len({word for word, _ in found}) == len(found)


def test_the_table_is_well_formed_and_small() -> None:
    """Every word brings at most five others to mind, best first; a download hardly grows by it."""
    path = resources.files("siliconfriend.recall") / FILE
    assert len(path.read_bytes()) < 300_000
    for word in ("红色", "音乐", stem("music"), stem("travelling")):
        found = base_associations(word)
        levels = [level for _, level in found]
        assert 1 <= len(found) <= 5
        assert levels == sorted(levels, reverse=True)
        assert all(1 <= level <= 9 for level in levels)
    assert base_associations("qwzx") == ()

"""The files of a search index as any bytes: a cache, which is made again and never believed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.testing import WordEmbedder
from tests.memory.people import a_profile, a_turn

WORDS = ("beans", "rain", "heron")


def index_seeds(folder: Path) -> Mapping[str, bytes]:
    """The files of an index over three turns, by name."""
    folder.mkdir(parents=True)
    _opened(folder).rebuild(_memory())
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def index_reader(folder: Path, name: str) -> Callable[[bytes], None]:
    """What opens an index with some bytes for one of its files, and looks at all rows.

    The other files are missing, so that nothing else can tell.
    """

    def read(data: bytes) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        (folder / name).write_bytes(data)
        index = _opened(folder)
        assert set(index.row_of) == {turn.id for turn in _memory().turns()}

    return read


def _opened(folder: Path) -> ScopeIndex:
    index = ScopeIndex(WordEmbedder(WORDS), folder)
    index.sync(_memory())
    return index


def _memory() -> PersonMemory:
    said = [PutTurn(a_turn(f"I saw {word}.", "", position=at)) for at, word in enumerate(WORDS)]
    return apply_all(PersonMemory(a_profile()), said)

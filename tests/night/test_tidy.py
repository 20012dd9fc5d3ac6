"""The stage that erases what the person asked not to remember, and its index."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from siliconfriend.config import Settings
from siliconfriend.errors import ModelUnavailable
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Turn
from siliconfriend.testing import WordEmbedder
from tests.night.world import ADA, World


class _Away(WordEmbedder):
    """An embedder whose service cannot be had."""

    def passages(self, texts: Any) -> Any:
        raise ModelUnavailable("model_unreachable", name=self.name, address="nowhere")


def test_marked_words_leave_the_index_though_the_embedder_is_away(settings: Settings) -> None:
    """The index is removed and made again later; the stage that makes it says why it could not."""
    store = FileStore(settings.home)
    world = World(settings, store=store)
    secret = world.say("My code word is heliotrope.", on="2026-06-01")
    world.night(embedder=WordEmbedder(), stages=["index"])
    folder = store.folder(ADA)
    assert (folder / "index.sqlite").exists()
    turn = world.memory().find(secret)
    assert isinstance(turn, Turn)
    with store.edit(ADA) as edit:
        edit.add(PutTurn(replace(turn, unkept=True)))
    world.say("I bought bread.", on="2026-06-01")
    (person,) = world.night(embedder=_Away(), stages=["tidy", "index"]).people
    assert person.stages["tidy"] == {"due": 1, "done": 1}
    assert len(person.errors) == 1
    assert person.errors[0].startswith("the search index")
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert [path for path in files if b"heliotrope" in path.read_bytes()] == []
    assert not (folder / "index.sqlite").exists()

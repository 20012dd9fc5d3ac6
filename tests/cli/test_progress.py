"""Work that takes long: it ends before it is needed, its errors are not lost, nobody waits in silence."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from siliconfriend.cli.app import App
from siliconfriend.cli.progress import BackgroundTask, say_indexing_progress, update_index
from siliconfriend.errors import StoreError
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.recaller import Recaller
from siliconfriend.testing import WordEmbedder
from siliconfriend.texts import Language
from tests.memory.people import NORA
from tests.recall.people import GARDEN, a_recaller, remember, turns


def test_wait_returns_when_the_work_has_ended() -> None:
    """What was begun is done after the wait, and the main thread was free until then."""
    go, done = threading.Event(), []
    work = BackgroundTask(lambda: done.append(go.wait(10)))
    assert not work.is_done
    go.set()
    work.wait()
    assert work.is_done
    assert done == [True]


def test_an_error_is_raised_where_it_is_waited_for_and_only_once() -> None:
    """A damaged store found in the background ends the talk like any other."""

    def fail() -> None:
        raise StoreError("nothing_said")

    work = BackgroundTask(fail)
    with pytest.raises(StoreError):
        work.wait()
    work.wait()


def test_a_long_wait_tells_how_it_goes_on() -> None:
    """Again and again while the work lasts, and not once where it is done before."""
    go = threading.Event()
    told: list[str] = []

    def tell() -> None:
        told.append("still")
        if len(told) == 3:
            go.set()

    BackgroundTask(go.wait).wait(tell, every=0.001)
    assert len(told) >= 3
    told.clear()
    work = BackgroundTask(lambda: None)
    work.wait()
    work.wait(tell, every=0.001)
    assert told == []


@pytest.mark.parametrize(
    ("language", "words"), [("en", f"0 of {len(GARDEN)}."), ("cn", f"{len(GARDEN)}段已读0段")]
)
def test_how_far_taking_in_is_stands_beside_the_answer(
    capsys: pytest.CaptureFixture[str], language: Language, words: str
) -> None:
    """On standard error while it lasts, in the person's language, and never afterwards."""
    app, store = App(language=language), InMemoryStore()
    remember(store, turns(GARDEN))
    recaller: Recaller

    class Telling(WordEmbedder):
        def passages(self, texts: Sequence[str]) -> Vectors:
            say_indexing_progress(app, recaller, NORA)
            return super().passages(texts)

    recaller = a_recaller(store, Telling(("bean", "kettle")))
    update_index(app, recaller, NORA)
    spoken = capsys.readouterr()
    assert words in spoken.err
    assert spoken.out == ""
    say_indexing_progress(app, recaller, NORA)
    assert capsys.readouterr().err == ""

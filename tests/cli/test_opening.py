"""What a command opens: nobody waits for it in silence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from siliconfriend.cli.app import App
from siliconfriend.cli.opening import take_in, tell_taking_in
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.recaller import Recaller
from siliconfriend.testing import WordEmbedder
from siliconfriend.texts import Language
from tests.memory.people import NORA
from tests.recall.people import GARDEN, a_recaller, remember, turns


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
            tell_taking_in(app, recaller, NORA)
            return super().passages(texts)

    recaller = a_recaller(store, Telling(("bean", "kettle")))
    take_in(app, recaller, NORA)
    spoken = capsys.readouterr()
    assert words in spoken.err
    assert spoken.out == ""
    tell_taking_in(app, recaller, NORA)
    assert capsys.readouterr().err == ""

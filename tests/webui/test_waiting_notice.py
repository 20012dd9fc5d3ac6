"""A reply that has to wait says what for."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.clock import FixedClock
from siliconfriend.config import load_settings
from siliconfriend.texts import Language
from tests.memory.people import NORA
from tests.recall.people import GARDEN, NOW, remember, turns
from tests.webui.slow import SlowEmbedder
from webui import running_replies
from webui.backend import Backend
from webui.exchange import Exchanges, Occasion


@pytest.mark.parametrize(
    ("language", "words"), [("en", f"0 of {len(GARDEN)}."), ("cn", f"{len(GARDEN)}段已读0段")]
)
def test_how_far_taking_in_an_import_is_stands_below_the_talk(
    home: Path, monkeypatch: pytest.MonkeyPatch, language: Language, words: str
) -> None:
    """In words of the page and not of the companion, until the reply begins."""
    monkeypatch.setattr(running_replies, "SILENCE", 0.01)
    settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC")
    embedder = SlowEmbedder()
    monkeypatch.setattr("siliconfriend.recall.embedders.factory.open_embedder", lambda _: embedder)
    backend = Backend(settings, FixedClock(NOW))
    remember(backend.store, turns(GARDEN))
    said = "Which kettle did I buy?"
    heard = Exchanges(backend).say(Occasion(NORA, "tab", language, []), said, off_record=False)
    assert next(heard).notice is None
    waiting = next(it for it in heard if it.notice)
    assert waiting.notice is not None
    assert words in waiting.notice
    assert waiting.lines[-1].response == ""
    embedder.may_go_on.set()
    rest = list(heard)
    assert "blue kettle" in rest[-1].lines[-1].response
    assert [it.is_last for it in rest][-2:] == [False, True]
    assert "" in [it.notice for it in rest[:-1]]
    assert rest[-1].notice == ""

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
from webui.chat_handlers import ChatContext, ChatHandlers


@pytest.mark.parametrize(
    ("language", "words"), [("en", f"0 of {len(GARDEN)}."), ("cn", f"{len(GARDEN)}段已读0段")]
)
def test_the_progress_of_indexing_an_import_stands_below_the_chat(
    home: Path, monkeypatch: pytest.MonkeyPatch, language: Language, words: str
) -> None:
    """In words of the page and not of the companion, until the reply begins."""
    monkeypatch.setattr(running_replies, "SILENCE", 0.01)
    settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC")
    embedder = SlowEmbedder()
    monkeypatch.setattr("siliconfriend.recall.embedders.factory.open_embedder", lambda _: embedder)
    backend = Backend(settings, FixedClock(NOW))
    remember(backend.store, turns(GARDEN))
    handlers = ChatHandlers(backend)
    context = ChatContext(NORA, "tab", language, [])
    updates = handlers.answer(context, "Which kettle did I buy?", off_record=False)
    waiting = next(update for update in updates if isinstance(update.notice, str) and update.notice)
    assert words in waiting.notice
    assert [message["role"] for message in waiting.chat] == ["user"]
    assert handlers.running.is_busy("tab")
    embedder.may_go_on.set()
    rest = list(updates)
    assert "" in [update.notice for update in rest[:-1]]
    assert "blue kettle" in rest[-1].lines[-1].response
    assert rest[-1].notice == ""
    assert not handlers.running.is_busy("tab")

"""Ordinary evenings without a model: what was told is found when it is asked for, and as it is now."""

import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.clock import FixedClock
from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.reply import Reply
from siliconfriend.memory.file_store import FileStore
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.runtime import Runtime
from siliconfriend.texts import LANGUAGES, Language

EVENINGS: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "evenings.toml").read_text(encoding="utf-8")
)
Ask = Callable[[str], Reply]


@pytest.fixture
def ask(
    request: pytest.FixtureRequest, settings: Settings, store: FileStore, embedder: CachedEmbedder
) -> Ask:
    """Ask the person of a language off the record, after their evenings."""
    evenings = EVENINGS[request.param]
    runtime = Runtime(settings, store=store, embedder=embedder)

    def companion(moment: str) -> Companion:
        clock = FixedClock(datetime.fromisoformat(moment).replace(tzinfo=UTC))
        return Companion(evenings["person"], runtime=runtime, clock=clock)

    for moment, words in evenings["told"]:
        companion(moment).reply(words)
    return lambda words: companion(evenings["now"]).reply(words, off_record=True)


@pytest.mark.parametrize(
    ("ask", "language"), [(language, language) for language in LANGUAGES], indirect=["ask"]
)
def test_what_was_told_is_answered_and_never_denied(ask: Ask, language: Language) -> None:
    """Questions, requests and wishes for advice; what was never told is at least not asserted."""
    replies = [(words, wanted, ask(words)) for words, *wanted in EVENINGS[language]["asked"]]
    wrong = [
        (words, reply.text)
        for words, wanted, reply in replies
        if wanted and not all(word in reply.text for word in wanted)
    ]
    assert len(wrong) <= 2, wrong
    for words, wanted, reply in replies:
        if not wanted:
            assert reply.certainty != "sure", words
        if reply.certainty == "unsure":
            assert "closest" in reply.text or "最接近" in reply.text


@pytest.mark.parametrize("ask", ["en"], indirect=True)
def test_a_change_is_told_after_what_it_changed(ask: Ask) -> None:
    """The old value is nearer to the question; the present one comes last, with its day."""
    reply = ask("what do I pay for the van insurance?").text
    assert 0 < reply.find("640") < reply.find("515")
    assert reply.find("Later") < reply.find("515")


@pytest.mark.parametrize("ask", ["cn"], indirect=True)
def test_a_change_is_told_after_what_it_changed_in_chinese(ask: Ask) -> None:
    reply = ask("站点房租最后多少钱？").text
    assert 0 < reply.find("七千八") < reply.find("七千二")

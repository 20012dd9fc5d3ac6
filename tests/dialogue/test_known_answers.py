"""What is known of somebody answers when the words it was learned from have faded."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.scope import Scope
from siliconfriend.night.run import run_night
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language

TOLD_ON = datetime(2026, 1, 8, 12, tzinfo=UTC)
DAYS = 1260
"""After so many a turn is archived, and so are the event and the summary made of it; the fact is not."""

TOLD: dict[Language, tuple[str, ...]] = {
    "en": (
        "My favourite tea is Lapsang.",
        "My husband Colin drove home in the rain.",
        "I speak Welsh with my mother.",
    ),
    "cn": ("我最爱喝正山小种。", "我妹妹小雨今天淋了雨。", "我家养了两只猫。"),
}
KNOWN: dict[Language, str] = {"en": "Lapsang", "cn": "正山小种"}


def _asked_years_later(settings, language: Language, *questions: str) -> list[str]:
    """The replies to some questions, after a night that learned of them and one years later."""
    clock = MovingClock(TOLD_ON)
    settings = replace(settings, language=language, timezone="UTC")
    runtime = Runtime(settings, clock, store=InMemoryStore())
    with Companion("Ada", runtime=runtime, clock=clock, language=language) as companion:
        for words in TOLD[language]:
            companion.reply(words)
    for days in (1, DAYS):
        clock.moment = TOLD_ON + timedelta(days=days)
        run_night(runtime)
    turns = runtime.store.load(Scope.of("Ada")).turns()
    assert all(it.trace.archived for it in turns)
    with Companion("Ada", runtime=runtime, clock=clock, language=language) as companion:
        return [companion.reply(question).text for question in questions]


@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "What is my favourite tea?"), ("cn", "我最爱喝什么？")],
)
def test_a_fact_answers_what_it_holds(settings, language: Language, question: str) -> None:
    (reply,) = _asked_years_later(settings, language, question)
    assert KNOWN[language] in reply, reply


def test_a_fact_in_the_persons_own_words_is_told_as_they_said_it(settings) -> None:
    """And not as a note about them."""
    (reply,) = _asked_years_later(settings, "en", "Which languages do I speak?")
    assert "you speak Welsh with your mother" in reply, reply


def test_what_is_known_of_is_not_called_untold(settings) -> None:
    """Two cats were told of; of a dog nothing was."""
    cats, dog = _asked_years_later(settings, "cn", "我的猫怎么样了？", "我的狗怎么样了？")
    assert "狗" in dog, dog
    assert "你的猫" not in cats, cats


def test_a_fact_answers_nothing_else(settings) -> None:
    """That somebody is called Colin says not what he does, nor does a tea name a coffee."""
    replies = _asked_years_later(
        settings, "en", "What does my husband do for work?", "What is my favourite coffee?"
    )
    assert not any(it in reply for reply in replies for it in ("called Colin", "Lapsang")), replies

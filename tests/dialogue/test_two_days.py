"""Told on one day, about another: the prompt says both days and mixes neither, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import LANGUAGES, Language

LIFE: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        ("2025-06-02", "In 2011 I worked on a ferry."),
        ("2026-01-10", "On 14 February I fly to Oslo."),
        ("2026-01-12", "My kettle is blue."),
        ("2026-02-06", "What have I planned for February?"),
        ("2026-02-06", "What did I do in 2011?"),
    ),
    "cn": (
        ("2025-06-02", "2011年我在渡轮上干过活。"),
        ("2026-01-10", "二月十四号我要飞奥斯陆。"),
        ("2026-01-12", "我的水壶是蓝色的。"),
        ("2026-02-06", "二月份我有什么安排？"),
        ("2026-02-06", "2011年我做了什么？"),
    ),
}


def _prompts(language: Language, home: Path) -> list[str]:
    """The system prompts of a life, told and asked a message a time."""
    settings = load_settings(
        home=home, environ={}, embedding="none", timezone="UTC", language=language
    )
    clock = MovingClock(datetime(2025, 6, 1, 9, tzinfo=UTC))
    model = ScriptedChatModel(otherwise=lambda _messages: "Hm.")
    friend = Companion("Ada", runtime=Runtime(settings, clock, store=InMemoryStore(), chat=model))
    for day, said in LIFE[language]:
        clock.moment = datetime.fromisoformat(f"{day}T15:00").replace(tzinfo=UTC)
        friend.reply(said)
    return [call[0].content for call in model.calls]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prompt_says_the_day_told_and_the_day_meant(language: Language, home: Path) -> None:
    """A line begins with the day it was told, and the day it speaks of stands in it."""
    lines = _prompts(language, home)[-2].splitlines()
    (flight,) = (line for line in lines if LIFE[language][1][1][:4] in line)
    assert flight.startswith("[2026-01-10")
    assert "（2026-02-14）" in flight or "(2026-02-14)" in flight
    (ferry,) = (line for line in lines if "2011" in line)
    assert ferry.startswith("[2025-06-02")

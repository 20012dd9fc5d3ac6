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
from siliconfriend.texts import Language

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


def _memories(prompt: str) -> str:
    start = prompt.index("<memories")
    return prompt[prompt.index(">", start) + 1 : prompt.index("</memories>")].strip()


@pytest.mark.parametrize(
    ("language", "plan", "past"),
    [
        (
            "en",
            "[2026-01-10]\n(2026-01-10 in the afternoon)\n"
            "Ada: On 14 February (2026-02-14) I fly to Oslo.\nSiliconFriend: Hm.",
            "[2025-06-02]\n(2025-06-02 dim)\nAda: In 2011 I worked on a ferry.\nSiliconFriend: Hm.",
        ),
        (
            "cn",
            "【2026-01-10】\n（2026-01-10 下午）\n"
            "Ada：二月十四号（2026-02-14）我要飞奥斯陆。\n硅友：Hm.",
            "【2025-06-02】\n（2025-06-02 已模糊）\nAda：2011年我在渡轮上干过活。\n硅友：Hm.",
        ),
    ],
)
def test_the_prompt_says_the_day_told_and_the_day_meant(
    language: Language, plan: str, past: str, home: Path
) -> None:
    """Asked by the day it speaks of, a memory stands under the day it was told, alone."""
    assert [*map(_memories, _prompts(language, home)[-2:])] == [plan, past]

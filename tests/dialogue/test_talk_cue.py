"""A remark without a model: what was said before it in the scene says what it is about."""

from __future__ import annotations

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.records import Turn
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language

TOLD = {
    "en": ("I sprained my wrist at the regatta.", "The regatta is on Saturday!", "I am nervous."),
    "cn": ("我在划船比赛上扭伤了手腕。", "划船比赛就要开始啦！", "我好紧张。"),
}


def _companion(settings: Settings, clock: MovingClock, language: Language) -> Companion:
    return Companion("Ada", runtime=Runtime(settings, clock), language=language)


@pytest.mark.parametrize("language", ["en", "cn"])
def test_the_scene_brings_an_old_memory_to_mind_and_not_itself(
    settings: Settings, clock: MovingClock, language: Language
) -> None:
    """The remark has no word of the memory, what was said a minute before has."""
    old, before, remark = TOLD[language]
    companion = _companion(settings, clock, language)
    companion.reply(old)
    clock.move(days=30)
    companion.reply(before)
    clock.move(minutes=1)
    found = [it.memory for it in companion.reply(remark).recalled.memories]
    assert [turn.query for turn in found if isinstance(turn, Turn)] == [old]


def test_a_question_finds_what_was_said_a_minute_ago(
    settings: Settings, clock: MovingClock
) -> None:
    """Who asks for it wants it, though it stands in the same scene."""
    companion = _companion(settings, clock, "en")
    companion.reply("The regatta is on Saturday!")
    clock.move(minutes=1)
    reply = companion.reply("When is the regatta?")
    assert [it.memory.date for it in reply.recalled.memories] == ["2026-03-14"]

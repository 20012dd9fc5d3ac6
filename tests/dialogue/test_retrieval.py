"""What a message brings to mind in a talk, beyond what a recall alone shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import Companions
from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.records import Turn
from siliconfriend.models.tokens import estimate_message_tokens
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import Language

TOLD = {
    "en": ("I sprained my wrist at the regatta.", "The regatta is on Saturday!", "I am nervous."),
    "cn": ("我在划船比赛上扭伤了手腕。", "划船比赛就要开始啦！", "我好紧张。"),
}


@pytest.mark.parametrize("context", [2048, 4096, 8192])
def test_a_long_persona_leaves_room_for_the_talk(
    home: Path, settings: Settings, clock: MovingClock, context: int
) -> None:
    """Prompt and answer fit the model together, however long its persona and the talk are."""
    character = Character("Robin").with_texts("cn", {"persona": "它很有耐心。" * 600})
    Companions(home).create(character)
    model = ScriptedChatModel(otherwise=lambda _messages: "好的。", context_tokens=context)
    robin = replace(settings, companion="Robin", language="cn")
    friend = Companion("小安", settings=robin, chat=model, clock=clock)
    for number in range(8):
        friend.reply(f"第{number}天我在家里喝茶听雨。" * 10)
    answer = min(settings.max_tokens, context // 3)
    for messages in model.calls:
        assert "它很有耐心。" in messages[0].content
        assert estimate_message_tokens(messages) + answer <= context


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

"""Reflection: when it begins, what the model is asked, and what becomes of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from siliconfriend.errors import UnusableAnswer
from siliconfriend.models.base import Message
from siliconfriend.stream import (
    Memory,
    MemoryStream,
    Reflection,
    condense_insights,
    generate_insight,
    generate_reflection,
)
from siliconfriend.stream.reflection import reaches_threshold
from siliconfriend.testing import MovingClock, ScriptedChatModel, WordEmbedder

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
SAID = (
    "Maya sang alto in the choir",
    "Theo took Maya climbing",
    "Nadia wrote from Porto",
    "Maya slept badly after the film",
    "the choir rehearsed the new score",
)
QUESTIONS = (
    "1. What does the choir give Maya?\n2. Why does Theo climb?\n3. What holds Nadia in Porto?"
)


def a_stream(chat: ScriptedChatModel | None = None, importance: float = 0.7) -> MemoryStream:
    """Five memories of a minute each, the newest last."""
    stream = MemoryStream(
        [], 1, 1, 1, 0.99, 3, chat=chat, embedder=WordEmbedder(), clock=MovingClock(NOON)
    )
    for at, words in enumerate(SAID):
        moment = NOON - timedelta(minutes=len(SAID) - at)
        stream.add_memory(Memory(words, moment, moment, "observation"))
        stream.memories[-1].importance = importance
    return stream


def prompts(chat: ScriptedChatModel) -> list[str]:
    return [call[-1].content for call in chat.calls]


def test_the_whole_flow() -> None:
    """Questions, insights on each, condensed, and a reflection for every one of them."""
    chat = ScriptedChatModel(
        [
            QUESTIONS,
            "1. The choir is Maya's rest [0, 4]\n2. The choir rehearses a lot [4]",
            "1. The choir is where Maya rests, often. [0, 4]",
            "1. Theo climbs for the fright of it [1]",
            "1. Theo looks for fright. [1]",
            "1. Nadia is far away [2]",
            "1. Nadia keeps close by letters. [2]\n2. Porto is far. [2]",
        ]
    )
    stream = a_stream(chat)
    result = generate_insight(memory_stream=stream, context_window=15, threshold=3)
    assert result is not None
    questions, insights_list = result
    assert questions == [
        "What does the choir give Maya?",
        "Why does Theo climb?",
        "What holds Nadia in Porto?",
    ]
    assert insights_list == [
        [("The choir is where Maya rests, often.", [0, 4])],
        [("Theo looks for fright.", [1])],
        [("Nadia keeps close by letters.", [2]), ("Porto is far.", [2])],
    ]
    assert generate_reflection(stream, insights_list) is stream
    made = stream.memories[5:]
    assert [type(it) for it in made] == [Reflection] * 4
    assert [it.description for it in made][:2] == [
        "The choir is where Maya rests, often.",
        "Theo looks for fright.",
    ]
    assert [it.pointers for it in made if isinstance(it, Reflection)] == [[0, 4], [1], [2], [2]]
    assert {it.creation_timestamp for it in made} == {NOON}
    with pytest.raises(AssertionError, match="no answer left"):
        chat.complete(())


def test_the_threshold_itself_is_enough() -> None:
    """Floats that add up to a hair below the threshold reach it."""
    assert sum([0.1] * 10) < 1
    assert reaches_threshold([0.1] * 10, 1)
    assert reaches_threshold([0.3] * 10, 3)
    assert not reaches_threshold([0.3] * 9 + [0.2], 3)


def test_a_window_of_nothing_is_refused() -> None:
    """The last 0 memories are no memories, not all of them."""
    with pytest.raises(ValueError, match="context_window"):
        generate_insight(a_stream(), 0, 0)


def test_a_bad_answer_is_shown_to_the_model_once() -> None:
    """It gets its own words back with a reminder of the form, and may mend them."""
    chat = ScriptedChatModel(["I would rather not say.", "1. a. [0]"])
    assert condense_insights("1. a [0]\n2. b [0]", chat=chat) == "1. a. [0]"
    assert [message.role for message in chat.calls[1]] == ["user", "assistant", "user"]
    assert chat.calls[1][1].content == "I would rather not say."
    with pytest.raises(UnusableAnswer, match="numbered list"):
        condense_insights("1. a [0]", chat=ScriptedChatModel(["no", "no"]))


def test_condensing_keeps_five_at_most() -> None:
    """The model's text as it is; where it wrote more than five, the first five."""
    eight = "\n".join(f"{n}. insight {n} [{n}, {n + 1}]" for n in range(1, 9))
    five = "\n".join(eight.splitlines()[:5])
    chat = ScriptedChatModel([f"{five}\n", eight])
    assert condense_insights(eight, chat=chat) == five
    assert condense_insights(eight, chat=chat) == five
    prompt = prompts(chat)[0]
    assert eight in prompt
    assert "at most 5" in prompt


def test_reflection_speaks_the_language_of_the_memories() -> None:
    """Chinese memories are asked about in Chinese; full-width evidence is read."""
    seen: list[str] = []

    def answer(messages: Sequence[Message]) -> str:
        seen.append(messages[-1].content)
        return "1、外婆为什么写信？" if len(seen) == 1 else "1、外婆靠写信和小安保持联系。【0，1】"

    chat = ScriptedChatModel(otherwise=answer)
    stream = MemoryStream([], 1, 1, 1, 0.99, 5, chat=chat, embedder=WordEmbedder())
    for words in ("外婆给小安写信", "小安收到外婆的信"):
        stream.add_memory(Memory(words, NOON, NOON, "观察"))
        stream.memories[-1].importance = 1.0
    assert generate_insight(stream, 15, 2) == (
        ["外婆为什么写信？"],
        [[("外婆靠写信和小安保持联系。", [0, 1])]],
    )
    assert all("陈述" in prompt or "要点" in prompt for prompt in seen)

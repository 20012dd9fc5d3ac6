"""Reflection: when it begins, what the model is asked, and what becomes of its answers."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.errors import UnusableAnswer
from siliconfriend.models.base import Message
from siliconfriend.prompts.loader import Prompts
from siliconfriend.seeds.reflection import (
    CitedInsight,
    format_insights,
    infer_insights,
    parse_questions,
    reaches_threshold,
)
from siliconfriend.stream import (
    Memory,
    MemoryStream,
    Reflection,
    condense_insights,
    generate_insight,
    generate_reflection,
    parse_insights,
)
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.embedding import WordEmbedder

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
    assert [(type(one), one.memory_type) for one in made] == [(Reflection, "reflection")] * 4
    assert [one.description for one in made][:2] == [
        "The choir is where Maya rests, often.",
        "Theo looks for fright.",
    ]
    assert [one.pointers for one in made if isinstance(one, Reflection)] == [[0, 4], [1], [2], [2]]
    assert {one.creation_timestamp for one in made} == {NOON}
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


@pytest.mark.parametrize(
    ("line", "insight"),
    [
        ("1. Ada sings [ 1, 2 ]", ("Ada sings", [1, 2])),
        ("2) Ada sings [1; 2]", ("Ada sings", [1, 2])),
        ("**3.** Ada **sings** [1]", ("Ada sings", [1])),
        ("1. Ada sings [1][2]", ("Ada sings", [1, 2])),
        ("1. Ada sings [1, 2].", ("Ada sings.", [1, 2])),
        ("1. Ada sings [2, 1, 2]", ("Ada sings", [2, 1])),
        ("1. Ada sings [3-5]", ("Ada sings", [3, 4, 5])),
        ("1. Ada sings [9-2]", ("Ada sings", [9, 2])),
        ("1. Ada sings [Statements 1 and 2]", ("Ada sings", [1, 2])),
        ("1、小安爱唱歌【1，2】", ("小安爱唱歌", [1, 2])),
        ("3、小安爱唱歌 [证据：第1条和第2条]", ("小安爱唱歌", [1, 2])),
    ],
)
def test_forms_that_models_write(line: str, insight: CitedInsight) -> None:
    """Other brackets, marks, widths and words inside the brackets mean the same."""
    assert parse_insights(line) == [insight]


def test_what_stands_around_is_no_insight() -> None:
    """A preface, a remark at the end and empty points are left out."""
    answer = """Sure, here are the insights:

1. Ada sings [1]
2.
3. [4]

I hope this helps!"""
    assert parse_insights(answer) == [("Ada sings", [1])]
    assert parse_insights("") == []
    assert parse_insights("I cannot say.") == []


def test_a_wrapped_line_goes_on() -> None:
    """Words and evidence on the next line belong to the insight; after an empty line no more."""
    answer = """1. Ada sings in the evening
   because the day is loud [1]
2. Ada hums
[2, 3]
3. Ada writes

That was all."""
    assert parse_insights(answer) == [
        ("Ada sings in the evening because the day is loud", [1]),
        ("Ada hums", [2, 3]),
        ("Ada writes", []),
    ]


words = st.text(st.characters(whitelist_categories=("Lu", "Ll", "Lo")), min_size=1, max_size=20)
insights = st.lists(
    st.tuples(words, st.lists(st.integers(0, 10**6), unique=True, max_size=6)), max_size=8
)


@given(insights)
def test_what_is_listed_is_read_again(given_ones: list[CitedInsight]) -> None:
    """Writing insights in the form and reading them gives the same insights."""
    assert parse_insights(format_insights(given_ones)) == given_ones


def test_an_absurd_answer_takes_no_time() -> None:
    """Ten thousand brackets, words in them, or a range without end are read at once."""
    parse_insights("1. x " + "[1] " * 10_000)
    parse_insights("1. x [" + "证据" * 20_000 + "]")
    parse_insights("[" * 20_000 + "]" * 20_000)
    assert parse_insights("1. x [1-999999999]") == [("x", [1, 999999999])]


def test_questions_are_the_numbered_lines() -> None:
    """At most so many, without their marks; without numbers the lines that ask."""
    answer = "Here you go:\n1. Why does Ada sing?\n2. **What holds Theo?**\n3、外婆为什么写信？\n4. More?"
    assert parse_questions(answer, 3) == [
        "Why does Ada sing?",
        "What holds Theo?",
        "外婆为什么写信？",
    ]
    assert parse_questions("Well.\nWhy does Ada sing?\n为什么？", 3) == [
        "Why does Ada sing?",
        "为什么？",
    ]
    assert parse_questions("No idea.", 3) == []


def test_an_insight_that_cites_nothing_there_is_dropped() -> None:
    """One wrong number makes the whole insight one that was made up."""
    chat = ScriptedChatModel(2 * ["1. a [0, 2]\n2. b [0, 9]\n3. c\n4. d [3]"])
    found = infer_insights(chat, Prompts("en"), {0: "Ada sings"}, "Why?", range(3))
    assert found == [("a", [0, 2]), ("c", [])]

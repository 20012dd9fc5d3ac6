"""One budget holds a whole prompt, and what has least weight leaves it first."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from siliconfriend.config import load_settings
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.prompt import PromptPlan
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import ReplyStyle
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.knowledge import Provenance, Used
from siliconfriend.memory.records import Overall, PersonMemory, Turn
from siliconfriend.models.tokens import estimate_message_tokens
from tests.dialogue.people import SCOPES, empty, turn

NOW = datetime(2026, 11, 20, 8, tzinfo=UTC)
SETTINGS = load_settings(home=Path("nowhere"), environ={})


def _plan(
    memory: PersonMemory,
    text: str = "I am back home.",
    *,
    context: int = 8192,
    talk: Sequence[Exchange] = (),
    tokens: int = 1500,
) -> PromptPlan:
    return PromptPlan(
        message=IncomingMessage(text, NOW, memory, ReplyStyle()),
        settings=replace(SETTINGS, memory_tokens=tokens),
        companion_name="SiliconFriend",
        context_tokens=context,
        find=memory.find,
        talk=talk,
    )


def _life(said: Sequence[tuple[str, str]]) -> PersonMemory:
    """The memory of somebody who said these words, an hour apart, long before today."""
    begin, turns = NOW - timedelta(hours=len(said) + 48), list[Turn]()
    positions: dict[str, int] = {}
    for at, (query, response) in enumerate(said):
        moment = f"{begin + timedelta(hours=at):%Y-%m-%dT%H:%M}"
        position = positions.setdefault(moment[:10], 0)
        positions[moment[:10]] += 1
        turns.append(turn(SCOPES["en"], moment, query, response, position))
    return apply_all(empty("en"), map(PutTurn, turns))


def _talk(said: Sequence[str], memory: PersonMemory) -> list[Exchange]:
    """A talk of today in which each message brought up everything that was told."""
    used = tuple(Used(one.id, 1.0) for one in memory.turns())
    begin = NOW - timedelta(minutes=len(said))
    return [
        Exchange(words, "I see.", f"x{at}", used, begin + timedelta(minutes=at))
        for at, words in enumerate(said)
    ]


@pytest.mark.parametrize("context", [4096, 8192])
@pytest.mark.parametrize("number", [40, 100, 300, 500])
def test_many_short_turns_leave_room_for_the_talk(context: int, number: int) -> None:
    """Their dates and names cost more than their words."""
    memory = _life([("Bus late", "Nice, tell me more about it.")] * number)
    talk = _talk(["I went out.", "It rained."], memory)
    messages = _plan(memory, context=context, talk=talk).complete().messages
    assert estimate_message_tokens(messages) <= context * 2 // 3
    assert [
        message.content.rpartition("\n\n")[2] for message in messages if message.role == "user"
    ] == [*("I went out.", "It rained.", "I am back home.")]


def test_the_newest_replies_have_most_room_and_the_talk_takes_none() -> None:
    """So the system message stays the same while a talk goes on."""
    advice = "Take the bus at noon. " * 12
    said = [(f"What shall I do on day {day}?", advice) for day in range(20)]
    memory, talk, systems = _life(said), list[Exchange](), list[str]()
    for minute in range(6):
        systems.append(_plan(memory, talk=talk).complete().messages[0].content)
        moment = f"{NOW - timedelta(minutes=30 - minute):%Y-%m-%dT%H:%M}"
        spoken = turn(SCOPES["en"], moment, "I walked a long way today. " * 9, advice, minute)
        memory = apply_all(memory, [PutTurn(spoken)])
        talk.append(Exchange.of(spoken))
    assert len(set(systems)) == 1
    first, _, last = systems[0].partition("on day 19?")
    assert advice.strip() in last
    assert advice.strip() not in first.partition("on day 1?")[0]


def test_all_replies_have_some_room_before_the_newest_have_most() -> None:
    advice = "Until the books are open and it is written down who decides, I would say no."
    said = [("Should I join?", advice), *[("It rains.", "The sky is grey. " * 30)] * 13]
    told = _plan(_life(said)).complete().messages[0].content
    assert advice in told
    assert told.endswith("The sky is grey. " * 20 + "The sky is grey.\n</memories>")


WORDS = st.sampled_from(
    ["Bus late", "我在喝茶。", "3141592653589793", "My sister Nell rows. " * 12]
)


@examples(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(WORDS, WORDS), max_size=30),
    st.lists(WORDS, max_size=12),
    st.sampled_from([2048, 4096, 8192]),
    st.sampled_from([200, 1500, 8000]),
)
def test_a_prompt_keeps_to_two_thirds_of_the_context(
    said: Sequence[tuple[str, str]], lately: Sequence[str], context: int, tokens: int
) -> None:
    """Whatever was told, recalled and said lately; and the newest words of the talk stand in it."""
    memory = _life(said)
    memory = replace(
        memory, overall_history=Overall("She rows every day. " * 60, Provenance("openai:x", NOW))
    )
    talk = _talk(lately, memory)
    plan = _plan(memory, "What now?", context=context, talk=talk, tokens=tokens)
    prompt = plan.complete([Used(one.id, 1.0) for one in memory.turns()])
    assert estimate_message_tokens(prompt.messages) <= context * 2 // 3
    assert not lately or lately[-1] in str(prompt.messages[-3].content)


def test_a_later_message_brings_as_much_as_the_first() -> None:
    """What it calls for decides, and what stands already is not repeated."""
    told = [
        (f"My cousin number {at} lives in town number {at}, by a mill. " * 3, "")
        for at in range(60)
    ]
    memory = _life(told)
    turns = [Used(one.id, 1.0) for one in memory.turns()]
    first = _plan(memory).complete(turns)
    talk = [Exchange("Good evening.", "Hello.", "x", (), NOW - timedelta(minutes=1))]
    later = _plan(memory, talk=talk).complete(turns)
    assert [one.id for one in later.used] == [one.id for one in first.used]
    talk = [replace(talk[0], used=first.used)]
    again = _plan(memory, talk=talk).complete(turns)
    assert again.memories.count("cousin number 3 lives") == 3
    assert len(again.used) > len(first.used)


def test_a_turn_that_is_too_long_is_excerpted() -> None:
    """Around the words that the message shares with it."""
    story = " ".join(
        f"On stage {at} of the walk we saw hill {at} and a river." for at in range(400)
    )
    memory = _life([(f"{story} Then we slept in a lighthouse. {story}", "")])
    plan = _plan(memory, "Which lighthouse was it?")
    prompt = plan.complete([Used(next(iter(memory.turns())).id, 1.0)])
    assert "Then we slept in a lighthouse." in prompt.memories
    assert estimate_message_tokens(prompt.messages) < 1500

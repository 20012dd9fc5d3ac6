"""Offline what is quoted matches by itself, tells something, and is of the time that is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

import pytest

from siliconfriend.dialogue.offline import reply_offline
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.told_words import telling_share
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.results import Recalled
from siliconfriend.texts import LANGUAGES, Language
from tests.dialogue.people import SCOPES, empty, turn

TODAY = date(2026, 3, 14)


@dataclass(frozen=True)
class _Talk:
    """What was told, each with its day, and what is said now."""

    told: tuple[tuple[str, str], ...]
    said: str

    def memory(self, language: Language) -> PersonMemory:
        scope = SCOPES[language]
        turns = [turn(scope, f"{day}T12:00", words, "I see.") for day, words in self.told]
        return apply_all(empty(language), [PutTurn(it) for it in turns])


def _found(memory: PersonMemory, number: int, rareness: float, **parts: float) -> Recalled:
    """The turn with a number as a recall gives it, with what its score is made of."""
    own = list(memory.turns())[number]
    return Recalled(own, sum(parts.values()), parts, "vivid", 1.0, 0.9, rareness=rareness)


def _reply(talk: _Talk, language: Language, found: tuple[Recalled, ...], *answers: Recalled) -> str:
    memory = talk.memory(language)
    context = ReplyContext(talk.said, memory, found, TODAY, 0, "Robin", answers=answers)
    return "".join(reply_offline(context).pieces(language))


def _is_quoted(talk: _Talk, number: int, reply: str) -> bool:
    return talk.told[number][1] in reply


SPAN: Mapping[Language, _Talk] = {
    "en": _Talk(
        (
            ("2025-07-02", "I will do that, it is good of you to say so."),
            ("2025-07-09", "A heron stood on the chimney."),
            ("2025-09-01", "We drank cider under the pear tree."),
        ),
        "What was going on with me in July 2025?",
    ),
    "cn": _Talk(
        (
            ("2025-07-02", "你说得有道理，我会照着去做的。"),
            ("2025-07-09", "烟囱上站着一只苍鹭。"),
            ("2025-09-01", "我们在梨树下喝米酒。"),
        ),
        "2025年7月我经历了什么？",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_month_what_tells_something_is_quoted(language: Language) -> None:
    """Nothing outside of it, however well it matches, as long as something lies within it."""
    talk = SPAN[language]
    memory = talk.memory(language)
    small = _found(memory, 0, 0.5, dense=1.0, date=0.5)
    told = _found(memory, 1, 0.9, dense=0.2, date=0.5)
    outside = _found(memory, 2, 0.9, dense=0.9, lexical=1.0)
    reply = _reply(talk, language, (outside, small, told))
    assert _is_quoted(talk, 1, reply)
    assert not _is_quoted(talk, 2, reply)
    assert _is_quoted(talk, 2, _reply(talk, language, (outside,)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_month_of_no_year_is_the_last_one(language: Language) -> None:
    """What was told in it stands before what holds more of the question's words."""
    talk = SPAN[language]
    memory = talk.memory(language)
    said = {"en": "What did the pear tree see in July?", "cn": "七月梨树下看见了什么？"}[language]
    inside = _found(memory, 1, 0.9, dense=0.5, date=0.5)
    outside = _found(memory, 2, 0.9, dense=0.7)
    reply = _reply(replace(talk, said=said), language, (outside, inside))
    assert reply.index(talk.told[1][1]) < reply.index(talk.told[2][1])


@pytest.mark.parametrize(
    ("words", "share"),
    [
        ("A heron stood on the chimney.", 1.0),
        ("I tried that. Thank you, it is good of you.", 0.5),
        ("Thank you. What do you think of it?", 0.0),
        ("烟囱上站着一只苍鹭。", 1.0),
        ("我去试试看。谢谢你这么说。", 0.5),
        ("谢谢你。你觉得怎么样？", 0.0),
        ("", 0.0),
    ],
)
def test_what_turns_to_the_companion_tells_nothing_of_the_person(words: str, share: float) -> None:
    """A question, a thank-you and an answer to advice are no telling; counted by sentences."""
    assert telling_share(words) == share


FEAST: Mapping[Language, _Talk] = {
    "en": _Talk(
        (
            ("2023-10-31", "I scared the postman with a sheet."),
            ("2025-10-31", "Eight colleagues came along."),
            ("2025-11-01", "We play darts every weekend."),
        ),
        "Whom did I frighten at Halloween?",
    ),
    "cn": _Talk(
        (
            ("2023-09-29", "我披着床单把邮差吓跑了。"),
            ("2025-10-06", "来了八个同事。"),
            ("2025-10-07", "我们每个周末打飞镖。"),
        ),
        "中秋节我吓到了谁？",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_feast_of_no_year_may_be_another_years(language: Language) -> None:
    """What was told on the last one does not stand before what answers the question."""
    talk = FEAST[language]
    memory = talk.memory(language)
    found = (
        _found(memory, 1, 0.7, dense=0.3, date=1.0),
        _found(memory, 2, 0.7, dense=0.2, date=1.0),
        replace(_found(memory, 0, 0.9, dense=1.0), is_relevant=False),
    )
    reply = _reply(talk, language, found)
    assert _is_quoted(talk, 0, reply)
    assert not _is_quoted(talk, 2, reply)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_neighbour_with_nothing_of_its_own_is_not_quoted(language: Language) -> None:
    """Not even beside what answers."""
    talk = SPAN[language]
    memory = talk.memory(language)
    asked = replace(talk, said={"en": "Where was the heron?", "cn": "苍鹭站在哪儿？"}[language])
    beside = replace(_found(memory, 2, 0.9, dense=0.0, neighbour=3.0), is_relevant=False)
    reply = _reply(asked, language, (beside, _found(memory, 1, 0.9, dense=1.0, lexical=1.0)))
    assert _is_quoted(talk, 1, reply)
    assert not _is_quoted(talk, 2, reply)


PIP: Mapping[Language, _Talk] = {
    "en": _Talk(
        (
            ("2026-03-01", "Today I had a coffee in a café."),
            ("2026-03-02", "Pip drinks from the tap."),
        ),
        "What does Pip drink from?",
    ),
    "cn": _Talk(
        (("2026-03-01", "今天我去咖啡店喝了咖啡。"), ("2026-03-02", "豆包只喝水龙头里的水。")),
        "豆包喝哪里的水？",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_matter_does_not_hide_what_holds_all_that_is_asked(language: Language) -> None:
    """Who asks what a cat drinks from does not ask for the last coffee."""
    talk = PIP[language]
    memory = talk.memory(language)
    of_matter = _found(memory, 0, 0.0, answer=2.0)
    holds_all = _found(memory, 1, 0.9, dense=1.0, lexical=1.0)
    reply = _reply(talk, language, (of_matter, holds_all), of_matter)
    assert _is_quoted(talk, 1, reply)
    assert not _is_quoted(talk, 0, reply)
    assert _is_quoted(talk, 0, _reply(talk, language, (of_matter,), of_matter))


DROVE: Mapping[Language, _Talk] = {
    "en": _Talk(
        (("2025-07-02", "Up to Hereford and back for some boxes of books."),),
        "Where did I drive in July 2025?",
    ),
    "cn": _Talk((("2025-07-02", "我报了皮划艇班。"),), "2025年7月我开始学什么？"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_matter_at_a_time_is_answered_from_that_time(language: Language) -> None:
    """It is not said that nothing is known of it because no word is shared."""
    talk = DROVE[language]
    found = _found(talk.memory(language), 0, 0.9, dense=0.5, date=0.5)
    assert _is_quoted(talk, 0, _reply(talk, language, (found,)))


REMARK: Mapping[Language, _Talk] = {
    "en": _Talk(
        (
            ("2026-03-01", "Flooded again, up to the ankles."),
            ("2026-03-02", "Ten days in a tent with a very long dog."),
            ("2026-03-03", "I feel the same about it."),
        ),
        "I fancy going camping again.",
    ),
    "cn": _Talk(
        (
            ("2026-03-01", "又淹水了，没到脚踝。"),
            ("2026-03-02", "带着一条长长的狗，睡了十天帐篷。"),
            ("2026-03-03", "我也是这么觉得的。"),
        ),
        "又想去露营了。",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_that_come_to_mind_alike_are_both_said(language: Language) -> None:
    """In one answer; small talk is not, though its words come as near."""
    talk = REMARK[language]
    memory = talk.memory(language)
    first = _found(memory, 0, 0.9, dense=1.0)
    second = replace(_found(memory, 1, 0.9, dense=0.9), is_relevant=False)
    small = _found(memory, 2, 0.3, dense=1.0)
    reply = _reply(talk, language, (first, small, second))
    assert _is_quoted(talk, 0, reply)
    assert _is_quoted(talk, 1, reply)
    assert not _is_quoted(talk, 2, reply)
    far = replace(second, parts={"dense": 0.3}, score=0.3)
    assert not _is_quoted(talk, 1, _reply(talk, language, (first, far)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_that_stands_for_another_brings_a_memory_up(language: Language) -> None:
    """Though the memory does not matter by itself; without such a word it is left alone."""
    talk = REMARK[language]
    memory = talk.memory(language)
    weak = replace(_found(memory, 1, 0.9, dense=1.0), is_relevant=False)
    assert "“" not in _reply(talk, language, (weak,))
    akin = replace(weak, parts={"dense": 1.0, "related": 0.1})
    assert _is_quoted(talk, 1, _reply(talk, language, (akin,)))
    hardly = replace(weak, parts={"dense": 1.0, "related": 0.05})
    assert "“" not in _reply(talk, language, (hardly,))


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_companions_memory_is_no_answer(language: Language) -> None:
    """What only one that shares its memory was told is not quoted as told to this one."""
    talk = PIP[language]
    shared = replace(
        _found(talk.memory(language), 1, 0.9, dense=1.0, lexical=1.0), is_relevant=False
    )
    other = _Talk((("2026-03-05", talk.told[0][1]),), talk.said)
    own = _found(other.memory(language), 0, 0.5, dense=0.2)
    assert not _is_quoted(talk, 1, _reply(other, language, (shared, own)))

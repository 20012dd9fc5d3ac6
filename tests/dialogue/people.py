"""A few days of talk with two people made up for these tests."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory, Profile, Turn
from siliconfriend.memory.scope import Scope, memory_id
from siliconfriend.models.base import Message
from siliconfriend.recall.results import Recalled
from siliconfriend.texts import Language

SCOPES: dict[Language, Scope] = {"en": Scope.of("Ada"), "cn": Scope.of("小雨")}
SAID: dict[Language, tuple[tuple[str, str, str], ...]] = {
    "en": (
        ("2025-11-30T18:00", "I planted a lemon tree on my balcony.", "How lovely!"),
        ("2026-03-02T20:00", "Can you recommend a painter?", "Look at Vermeer's letters."),
        ("2026-03-13T21:00", "My sister Anna bought a boat in Lisbon.", "Will she sail it?"),
    ),
    "cn": (
        ("2025-11-30T18:00", "我在阳台种了一棵柠檬树。", "真好！"),
        ("2026-03-02T20:00", "能给我推荐一位画家吗？", "可以看看维米尔的画。"),
        ("2026-03-13T21:00", "我妹妹安安在里斯本买了一条船。", "她会开船吗？"),
    ),
}


def turn(scope: Scope, moment: str, query: str, response: str, position: int = 0) -> Turn:
    """A turn said at ``moment``, in UTC."""
    time = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    date = moment[:10]
    identifier = memory_id(scope, "turn", date, position)
    return Turn(identifier, date, position, query, response, time, Trace(time))


def empty(language: Language) -> PersonMemory:
    """The person of that language, just met."""
    created = datetime(2025, 11, 30, tzinfo=UTC)
    return PersonMemory(Profile(SCOPES[language].person, language, "UTC", created))


def remembered(language: Language) -> PersonMemory:
    """The person of that language with three days of talk."""
    scope = SCOPES[language]
    turns = [PutTurn(turn(scope, *said)) for said in SAID[language]]
    return apply_all(empty(language), turns)


def recalled(memory: PersonMemory, *numbers: int, state: str = "vivid") -> tuple[Recalled, ...]:
    """The turns with these numbers as a recall gives them, the score falling by a tenth."""
    turns = list(memory.turns())
    return tuple(
        Recalled(turns[number], 1 - rank / 10, {}, state, 1.0, 0.9)
        for rank, number in enumerate(numbers)
    )


def judged(found: Iterable[Recalled], *likelihoods: float) -> tuple[Recalled, ...]:
    """What was found with these likelihoods: likely from 0.5 on."""
    return tuple(
        replace(recalled, likelihood=share, is_likely=share >= 0.5)
        for recalled, share in zip(found, likelihoods, strict=True)
    )


def holds(reply: str, words: str) -> bool:
    """True if a reply quotes what was told."""
    return words.strip(" .!。！“”") in reply


def said(message: Message) -> str:
    """The words of a message of the talk, without what a prompt puts before the person's."""
    return message.content.rpartition("\n\n")[2]

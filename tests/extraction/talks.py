"""Short ways to a memory with talk in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.creation import new_turn
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

ADA = Scope.of("Ada")
MET = datetime(2026, 6, 1, tzinfo=UTC)


def at(moment: str) -> datetime:
    """A moment of June 2026 in UTC: ``"3 14:05"``."""
    day, _, time = moment.partition(" ")
    return datetime.fromisoformat(f"2026-06-{int(day):02}T{time or '12:00'}:00+00:00")


def nobody_yet(language: Language = "en", scope: Scope = ADA) -> PersonMemory:
    """A memory without a word in it."""
    return PersonMemory(Profile(scope.person, language=language, timezone="UTC", created=MET))


def said(
    memory: PersonMemory, moment: str, query: str, response: str = "I see.", **fields: Any
) -> PersonMemory:
    """The memory after one more turn."""
    scope = Scope.of(memory.profile.name)
    turn = new_turn(scope, memory, query, now=at(moment))
    return apply_all(memory, [PutTurn(replace(turn, response=response, **fields))])


def talk(moments: Iterable[str], **fields: Any) -> PersonMemory:
    """A memory with a turn at each of the moments; its words are its number."""
    memory = nobody_yet()
    for number, moment in enumerate(moments, start=1):
        memory = said(memory, moment, f"word {number}", **fields)
    return memory

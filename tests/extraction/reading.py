"""Short ways to a memory with talk in it, a batch of it, and an answer about that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.queue import Batch, pending_batches
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.drafts import new_turn
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

ADA = Subject("Ada", "Kai", "en")
XIAO = Subject("小林", "小硅", "cn")
WHO = Scope.of("Ada")
MET = datetime(2026, 6, 1, tzinfo=UTC)


def at(moment: str) -> datetime:
    """A moment of June 2026 in UTC: ``"3 14:05"``."""
    day, _, time = moment.partition(" ")
    return datetime.fromisoformat(f"2026-06-{int(day):02}T{time or '12:00'}:00+00:00")


def nobody_yet(language: Language = "en", scope: Scope = WHO) -> PersonMemory:
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


def batch_of(*spoken: str | tuple[str, str], **fields: Any) -> Batch:
    """The batch of turns said on the 3rd of June, a minute apart; a pair brings the reply."""
    memory = nobody_yet()
    for minute, words in enumerate(spoken):
        query, response = (words, "I see.") if isinstance(words, str) else words
        memory = said(memory, f"3 14:{minute:02}", query, response, **fields)
    return the_batch(memory)


def the_batch(memory: PersonMemory) -> Batch:
    """The only batch of a memory on the day after."""
    (batch,) = pending_batches(memory, at("4"), over=True)
    return batch


def ids(batch: Batch, *numbers: int) -> tuple[str, ...]:
    """The ids of turns of a batch, by number from 1."""
    return tuple(batch.turns[number - 1].id for number in numbers)


def an_event(text: str = "Ada carried a piano.", **fields: Any) -> dict[str, Any]:
    """An event as a model answers it."""
    event = {"text": text, "time": "", "place": "", "scene": "", "key_words": ["piano"]}
    event["triple"] = ["Ada", "carried", "a piano"]
    return {**event, "insight": "", "turns": [1], **fields}


def a_fact(description: str, **fields: Any) -> dict[str, Any]:
    """A fact as a model answers it; about Ada, said by her in turn 1."""
    fact = {"entity": "Ada", "entity_type": "object", "aspect": "attribute", "key_word": ""}
    told = {"description": description, "said_by": "person", "turns": [1]}
    return {**fact, **told, "corrects": None, "repeats": None, **fields}


def a_theme(summary: str = "A piano.", **fields: Any) -> dict[str, Any]:
    """A theme as a model answers it."""
    return {"summary": summary, "key_words": ["piano"], "turns": [1], "continues": False, **fields}


def an_answer(
    events: Any = (), facts: Any = (), themes: Any = (), importance: Any = ()
) -> dict[str, Any]:
    """A whole answer."""
    return {
        "events": list(events),
        "facts": list(facts),
        "themes": list(themes),
        "importance": list(importance),
    }

"""Read talks: which memories come to mind unasked in a conversation, as in MADial-Bench (2025).

These talks contain no questions about the past. Each memory is one turn of the person, and each talk the
live dialogue of a chat off the record, at the moment in which the companion is about to answer.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.evaluation.bench import Told
from siliconfriend.evaluation.conversations import Conversation, Question
from siliconfriend.evaluation.datasets import (
    day_value,
    expected_form,
    language_value,
    text_value,
)
from siliconfriend.memory.scope import clean_name

PERSON, COMPANION = "person", "companion"


def read_talks(data: Any) -> Conversation:
    """Load the memories and talks of a file; UnreadableFile if no talk can be measured.

    A talk without words of the person, or without a memory that should come to mind, is left out.
    """
    with expected_form("talk_form"):
        memories = {str(memory["id"]): _memory(memory) for memory in data["memories"]}
        if len(memories) != len(data["memories"]):
            raise ValueError("two memories have the same id")
        talks = [_talk(item) for item in data["talks"]]
        measured = tuple(talk for talk in talks if talk is not None)
        if not memories or not measured:
            raise ValueError("no memories, or no talk with memories that should come to mind")
        user, language = clean_name(data["user"]), language_value(data["lang"])
        skipped = len(talks) - len(measured)
        return Conversation(f"talk-{language}", user, language, memories, measured, skipped)


def _memory(data: Mapping[str, Any]) -> Told:
    return Told(day_value(data["date"]), text_value(data["text"]))


def _talk(data: Mapping[str, Any]) -> Question | None:
    """Parse a talk up to the person's last message; what the companion said next comes last."""
    turns = [_turn(turn) for turn in data["turns"]]
    relevant = sorted({str(identifier) for identifier in data["relevant"]})
    last = max((at for at, (who, _) in enumerate(turns) if who == PERSON), default=None)
    if last is None or not relevant:
        return None
    history = (*_exchanges(turns[:last]), *_exchanges(turns[last + 1 :]))
    groups = tuple(frozenset({identifier}) for identifier in relevant)
    return Question("talk", None, turns[last][1], groups, history)


def _turn(data: Mapping[str, Any]) -> tuple[str, str]:
    who = data["who"]
    if who not in (PERSON, COMPANION):
        raise ValueError(f"who is neither {PERSON} nor {COMPANION}: {who!r}")
    return who, text_value(data["text"])


def _exchanges(turns: Iterable[tuple[str, str]]) -> list[Exchange]:
    """Return the turns in pairs, as a chat keeps them; either half may be lacking."""
    exchanges: list[Exchange] = []
    for who, words in turns:
        if who == PERSON:
            exchanges.append(Exchange(words, ""))
        elif exchanges and not exchanges[-1].response:
            exchanges[-1] = Exchange(exchanges[-1].query, words)
        else:
            exchanges.append(Exchange("", words))
    return exchanges

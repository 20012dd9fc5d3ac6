"""Talks: measure which memories are recalled unasked in a conversation, as in MADial-Bench (2025).

These talks contain no questions about the past. Each memory is one turn of
the person, and each talk the live dialogue of a chat off the record, at the moment in which the
companion is about to answer, searched for by the reply flow's own :class:`Retriever`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siliconfriend.characters.companions import companion_name
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import ReplyStyle
from siliconfriend.dialogue.retrieval import Retriever
from siliconfriend.evaluation.bench import Bench, Told
from siliconfriend.evaluation.datasets import (
    day_value,
    expected_form,
    language_value,
    text_value,
)
from siliconfriend.evaluation.table import Row, means
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.texts import Language

PERSON, COMPANION = "person", "companion"


@dataclass(frozen=True, slots=True)
class RecordedTalk:
    """A talk up to the person's last message."""

    message: str
    history: tuple[Exchange, ...]
    """The conversation; the companion's reply comes last, without a query."""
    relevant: frozenset[str]
    """Ids of the relevant memories; at least one."""


@dataclass(frozen=True, slots=True)
class TalkFile:
    """One person's memories by their ids in the file, in its order, and the talks.

    ``skipped`` more talks have no words of the person, or no memory that should come to mind.
    """

    user: str
    language: Language
    memories: Mapping[str, Told]
    talks: tuple[RecordedTalk, ...]
    skipped: int


def read_talks(data: Any) -> TalkFile:
    """Load the memories and talks of a file; UnreadableFile if no talk can be measured."""
    with expected_form("talk_form"):
        memories = {str(memory["id"]): _memory(memory) for memory in data["memories"]}
        if len(memories) != len(data["memories"]):
            raise ValueError("two memories have the same id")
        talks = [_talk(item) for item in data["talks"]]
        measured = tuple(talk for talk in talks if talk is not None)
        if not memories or not measured:
            raise ValueError("no memories, or no talk with memories that should come to mind")
        return TalkFile(
            user=clean_name(data["user"]),
            language=language_value(data["lang"]),
            memories=memories,
            talks=measured,
            skipped=len(talks) - len(measured),
        )


def import_talks(bench: Bench, file: TalkFile) -> tuple[Scope, dict[str, str]]:
    """Import the memories of a file, and embed what its talks ask; as ``import_memories``."""
    scope, names = bench.import_memories(file.user, file.memories, file.language)
    bench.prepare_embeddings([scope], (talk.message for talk in file.talks))
    return scope, names


def evaluate_talks(
    bench: Bench,
    file: TalkFile,
    recipes: Iterable[str],
    *,
    ks: Sequence[int] = (1, 3, 5, 10),
) -> list[Row]:
    """Run the evaluation with each recipe; a row for each.

    ``recall`` is the share of the relevant memories within the first k, averaged over talks,
    ``hit`` the share of talks with at least one of them there.
    """
    scope, names = import_talks(bench, file)
    runtime, memory = bench.runtime, bench.store.load(scope)
    now, lore = bench.question_time(memory), runtime.lore(scope.companion)
    name = companion_name(runtime.settings, scope.companion, memory.profile.language)

    def count(recipe: str, talk: RecordedTalk) -> dict[int, int]:
        """Count the relevant memories among the first recalled ones."""
        retrieved = Retriever(runtime.store, runtime.recaller, scope, recipe, lore).retrieve(
            IncomingMessage(talk.message, now, memory, ReplyStyle()),
            companion_name=name,
            talk=talk.history,
            exclude=(),
            top=max(ks),
        )
        ids = [names.get(result.memory.id) for result in retrieved.memories.memories]
        ids = [identifier for identifier in ids if identifier is not None]
        return {k: len(talk.relevant.intersection(ids[:k])) for k in ks}

    return [
        {
            "recipe": recipe,
            "lang": file.language,
            "talks": len(file.talks),
            "skipped": file.skipped,
            "recall": means(
                [
                    {k: counts[k] / len(talk.relevant) for k in ks}
                    for talk, counts in zip(file.talks, found, strict=True)
                ],
                ks,
            ),
            "hit": means([{k: float(counts[k] > 0) for k in ks} for counts in found], ks),
            "seconds": seconds,
        }
        for recipe, found, seconds in bench.measure(recipes, file.talks, count)
    ]


def _memory(data: Mapping[str, Any]) -> Told:
    return Told(day_value(data["date"]), text_value(data["text"]))


def _talk(data: Mapping[str, Any]) -> RecordedTalk | None:
    """Parse a talk; None without a message to answer or a relevant memory."""
    turns = [_turn(turn) for turn in data["turns"]]
    relevant = frozenset(str(identifier) for identifier in data["relevant"])
    last = max((at for at, (who, _) in enumerate(turns) if who == PERSON), default=None)
    if last is None or not relevant:
        return None
    history = [*_exchanges(turns[:last]), *_exchanges(turns[last + 1 :])]
    return RecordedTalk(turns[last][1], tuple(history), relevant)


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

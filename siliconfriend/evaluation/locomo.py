"""Evaluate recall on LoCoMo's conversations (Maharana et al., 2024): evidence recall at k.

The unit is the utterance: each is one memory of one person, the conversation as a whole.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dateutil import parser

from siliconfriend.errors import UnreadableFile
from siliconfriend.evaluation.bench import Bench, Told
from siliconfriend.memory.scope import Scope

_SESSION = re.compile(r"session_(\d+)")
_UTTERANCE = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Utterance:
    """One utterance: its LoCoMo id, and the speaker's name with the words and a photo's caption."""

    id: str
    said_at: datetime
    words: str


@dataclass(frozen=True, slots=True)
class Query:
    """A question, its category number and the ids of its evidence (at least one)."""

    text: str
    category: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation with its questions; ``dropped`` more have no evidence in it."""

    name: str
    utterances: tuple[Utterance, ...]
    queries: tuple[Query, ...]
    dropped: int


@dataclass(frozen=True, slots=True)
class LocomoResult:
    """One recipe's row: evidence recall by k, over all questions and by category."""

    recipe: str
    questions: int
    skipped: int
    recall: Mapping[int, float]
    by_category: Mapping[str, Mapping[int, float]]
    counts: Mapping[str, int]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Serialize it as the command prints it."""
        return {
            "recipe": self.recipe,
            "questions": self.questions,
            "skipped": self.skipped,
            "recall": self.shares(),
            "by_category": {
                category: {str(k): value for k, value in values.items()}
                for category, values in self.by_category.items()
            },
            "questions_by_category": dict(self.counts),
            "seconds": round(self.seconds, 3),
        }

    def shares(self) -> dict[str, float]:
        """The evidence recall by k."""
        return {str(k): share for k, share in self.recall.items()}


def read_conversations(data: Any) -> list[Conversation]:
    """The conversations of a LoCoMo file.

    Raises:
        UnreadableFile: it is no list of such conversations.
    """
    try:
        found = [_conversation(it, number) for number, it in enumerate(data, start=1)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableFile("locomo_form", cause=f"{type(error).__name__}: {error}") from error
    if not found:
        raise UnreadableFile("locomo_form", cause="[]")
    return found


def _conversation(data: Mapping[str, Any], number: int) -> Conversation:
    utterances = tuple(_utterances(data["conversation"]))
    if not utterances:
        msg = "a conversation without a session"
        raise ValueError(msg)
    known = {it.id for it in utterances}
    queries = []
    for item in data["qa"]:
        named = {name for text in item.get("evidence", ()) for name in _UTTERANCE.findall(text)}
        if named & known:
            category = str(item.get("category", ""))
            queries.append(Query(str(item["question"]), category, frozenset(named & known)))
    name = str(data.get("sample_id") or f"conversation {number}")
    return Conversation(name, utterances, tuple(queries), len(data["qa"]) - len(queries))


def _utterances(conversation: Mapping[str, Any]) -> Iterator[Utterance]:
    """In the order they were said; a date without a session says nothing."""
    sessions = [key for key in conversation if _SESSION.fullmatch(key)]
    for session in sorted(sessions, key=lambda key: int(key.partition("_")[2])):
        said_at = parser.parse(conversation[f"{session}_date_time"])
        for item in conversation[session]:
            caption = item.get("blip_caption")
            photo = f" [photo: {caption}]" if caption else ""
            words = f"{item['speaker']}: {item['text']}{photo}"
            yield Utterance(str(item["dia_id"]), said_at, words)


def import_conversation(bench: Bench, conversation: Conversation) -> tuple[Scope, dict[str, str]]:
    """Import a conversation as the turns of one person.

    Returns:
        Their scope, and the utterance id of each memory id.
    """
    told = [
        Told(it.said_at.date().isoformat(), it.words, time=it.said_at)
        for it in conversation.utterances
    ]
    scope, ids = bench.import_turns(
        conversation.name, told, language="en", timezone=bench.runtime.settings.timezone
    )
    return scope, dict(zip(ids, (it.id for it in conversation.utterances), strict=True))


def evaluate_locomo(
    bench: Bench,
    conversations: Sequence[Conversation],
    recipes: Iterable[str],
    *,
    ks: Sequence[int] = (5, 10, 20),
) -> list[LocomoResult]:
    """Run the evaluation with each recipe; a row of the table for each.

    Args:
        bench: where the conversations are put.
        conversations: of one file.
        recipes: names of recipes.
        ks: how many utterances are looked at.
    """
    places = [import_conversation(bench, conversation) for conversation in conversations]
    asked = (query.text for conversation in conversations for query in conversation.queries)
    bench.prepare_embeddings((scope for scope, _ in places), asked)
    return [_row(bench, conversations, places, recipe, ks) for recipe in recipes]


def _row(
    bench: Bench,
    conversations: Sequence[Conversation],
    places: Sequence[tuple[Scope, Mapping[str, str]]],
    recipe: str,
    ks: Sequence[int],
) -> LocomoResult:
    total = sum(len(it.queries) for it in conversations)
    shares: dict[str, list[dict[int, float]]] = {}
    done, seconds = 0, 0.0
    for conversation, (scope, names) in zip(conversations, places, strict=True):
        moment = bench.question_time(bench.store.load(scope))
        for query in conversation.queries:
            began = time.perf_counter()
            recollection = bench.recaller.recall(
                scope, query.text, now=moment, top=max(ks), recipe=recipe
            )
            seconds += time.perf_counter() - began
            found = [names[it.memory.id] for it in recollection.memories if it.memory.id in names]
            shares.setdefault(query.category, []).append(
                {k: len(query.evidence & set(found[:k])) / len(query.evidence) for k in ks}
            )
            done += 1
            bench.advance(recipe, done, total)
    in_order = sorted(shares, key=lambda name: (len(name), name))
    return LocomoResult(
        recipe=recipe,
        questions=done,
        skipped=sum(it.dropped for it in conversations),
        recall=_means([it for category in in_order for it in shares[category]], ks),
        by_category={category: _means(shares[category], ks) for category in in_order},
        counts={category: len(shares[category]) for category in in_order},
        seconds=seconds,
    )


def _means(shares: Sequence[Mapping[int, float]], ks: Sequence[int]) -> dict[int, float]:
    return {k: sum(it[k] for it in shares) / len(shares) if shares else 0.0 for k in ks}

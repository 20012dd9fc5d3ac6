"""Evaluate recall on LoCoMo's conversations (Maharana et al., 2024): evidence recall at k.

The unit is the utterance: each is one memory of one person, the conversation as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from dateutil import parser

from siliconfriend.evaluation.bench import Bench, Told
from siliconfriend.evaluation.datasets import expected_form
from siliconfriend.evaluation.table import Row, means
from siliconfriend.memory.scope import Scope

_SESSION = re.compile(r"session_(\d+)")
_UTTERANCE = re.compile(r"D\d+:\d+")


class LocomoQuestion(NamedTuple):
    """A question, its category number and the ids of its evidence (at least one)."""

    text: str
    category: str
    evidence: frozenset[str]


class LocomoConversation(NamedTuple):
    """Utterances by their LoCoMo ids, and questions; ``dropped`` more have no evidence in it."""

    name: str
    utterances: Mapping[str, Told]
    queries: tuple[LocomoQuestion, ...]
    dropped: int


def read_conversations(data: Any) -> list[LocomoConversation]:
    """Load the conversations of a LoCoMo file; UnreadableFile if the format is wrong."""
    with expected_form("locomo_form"):
        found = [_conversation(item, number) for number, item in enumerate(data, start=1)]
        if not found:
            raise ValueError("[]")
        return found


def _conversation(data: Mapping[str, Any], number: int) -> LocomoConversation:
    utterances = dict(_utterances(data["conversation"]))
    if not utterances:
        raise ValueError("a conversation without a session")
    queries = []
    for item in data["qa"]:
        named = {name for text in item.get("evidence", ()) for name in _UTTERANCE.findall(text)}
        if named & utterances.keys():
            category = str(item.get("category", ""))
            queries.append(
                LocomoQuestion(
                    str(item["question"]), category, frozenset(named & utterances.keys())
                )
            )
    name = str(data.get("sample_id") or f"conversation {number}")
    return LocomoConversation(name, utterances, tuple(queries), len(data["qa"]) - len(queries))


def _utterances(conversation: Mapping[str, Any]) -> Iterator[tuple[str, Told]]:
    """Yield the utterances in order, each behind its speaker's name; a photo as its caption."""
    sessions = [key for key in conversation if _SESSION.fullmatch(key)]
    for session in sorted(sessions, key=lambda key: int(key.partition("_")[2])):
        said_at = parser.parse(conversation[f"{session}_date_time"])
        for item in conversation[session]:
            caption = item.get("blip_caption")
            photo = f" [photo: {caption}]" if caption else ""
            words = f"{item['speaker']}: {item['text']}{photo}"
            yield str(item["dia_id"]), Told(said_at.date().isoformat(), words, time=said_at)


def evaluate_locomo(
    bench: Bench,
    conversations: Sequence[LocomoConversation],
    recipes: Iterable[str],
    *,
    ks: Sequence[int] = (5, 10, 20),
) -> list[Row]:
    """Run the evaluation with each recipe; a row for each.

    ``recall`` is the share of a question's evidence within the first k utterances, averaged over
    questions; ``by_category`` the same by category number.
    """
    places = [
        bench.import_memories(conversation.name, conversation.utterances, "en")
        for conversation in conversations
    ]
    asked = [
        (query, scope, names, bench.question_time(bench.store.load(scope)))
        for conversation, (scope, names) in zip(conversations, places, strict=True)
        for query in conversation.queries
    ]
    bench.prepare_embeddings((scope for scope, _ in places), (pair[0].text for pair in asked))

    def share(
        recipe: str, own: tuple[LocomoQuestion, Scope, Mapping[str, str], datetime]
    ) -> dict[int, float]:
        query, scope, names, now = own
        found = bench.recaller.recall(scope, query.text, now=now, top=max(ks), recipe=recipe)
        ids = [names[result.memory.id] for result in found.memories if result.memory.id in names]
        return {k: len(query.evidence.intersection(ids[:k])) / len(query.evidence) for k in ks}

    rows = []
    for recipe, shares, seconds in bench.measure(recipes, asked, share):
        groups = dict[str, list[dict[int, float]]]()
        for (query, *_), found in zip(asked, shares, strict=True):
            groups.setdefault(query.category, []).append(found)
        by_category = sorted(groups.items(), key=lambda group: (len(group[0]), group[0]))
        rows.append(
            {
                "recipe": recipe,
                "questions": len(asked),
                "skipped": sum(conversation.dropped for conversation in conversations),
                "recall": means(shares, ks),
                "by_category": {name: means(group, ks) for name, group in by_category},
                "questions_by_category": {name: len(group) for name, group in by_category},
                "seconds": seconds,
            }
        )
    return rows

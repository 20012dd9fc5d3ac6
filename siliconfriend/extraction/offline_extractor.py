"""Extract without a model: quote the person, and take a fact only where it is said outright.

A run of turns is one event in the person's own words and one topic. What is quoted is what
the event rests on, so nothing else of the talk keeps it or takes it away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from siliconfriend.extraction.drafts import EventDraft, FactDraft
from siliconfriend.extraction.extractor import Extracted, Subject
from siliconfriend.extraction.offline_facts import extract_facts
from siliconfriend.extraction.queue import Batch
from siliconfriend.extraction.role_play import ends_role_play
from siliconfriend.language.characters import fold, language_of
from siliconfriend.language.keywords import extract_keywords, top_keywords
from siliconfriend.language.sentences import end_sentence, ends_as_question, split_sentences
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Turn
from siliconfriend.texts import text
from siliconfriend.topics.drafts import TopicDraft, draft_topics

QUOTED = 3
"""Sentences of a run of turns that its event quotes."""
KEY_WORDS = 6
MAX_EVENT = 240
"""Characters of an event."""
MIN_KEY_WORDS = 2
"""A sentence with fewer says nothing worth a memory of its own."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of the person, its keywords, and the turn it stands in."""

    text: str
    turn: Turn
    key_words: frozenset[str]


class OfflineExtractor:
    """Reads by rules alone."""

    made_by = OFFLINE

    def extract(self, subject: Subject, batch: Batch, known: Sequence[Fact]) -> Extracted:
        """Extract one event, one topic, and the facts that are said outright.

        ``known`` is of no use to a rule: what repeats or corrects is seen when it is stored.
        """
        strong = top_keywords((turn.query for turn in batch.turns), KEY_WORDS)
        chosen = _best_sentences(_told_sentences(batch), strong)
        return Extracted(
            events=tuple(_events(subject, batch, chosen)),
            facts=tuple(_facts(subject, batch)),
            topics=_topics(batch, strong),
        )


def _told_sentences(batch: Batch) -> list[_Sentence]:
    """The statements of the person, each sentence once.

    Questions, words about nothing and the end of a role-play tell nothing.
    """
    found: dict[str, _Sentence] = {}
    for turn in batch.turns:
        for sentence in split_sentences(turn.query):
            about = frozenset(extract_keywords(sentence))
            if (
                len(about) >= MIN_KEY_WORDS
                and not ends_as_question(sentence)
                and not ends_role_play(sentence)
            ):
                found.setdefault(fold(sentence), _Sentence(sentence, turn, about))
    return list(found.values())


def _best_sentences(told: Sequence[_Sentence], strong: Sequence[str]) -> list[_Sentence]:
    """The sentences with most keywords of the whole batch, in the order they were said."""

    def weight(said: _Sentence) -> tuple[int, int]:
        return (len(said.key_words & set(strong)), len(said.key_words))

    best = sorted(told, key=weight, reverse=True)[:QUOTED]
    return [said for said in told if said in best]


def _events(subject: Subject, batch: Batch, chosen: Sequence[_Sentence]) -> list[EventDraft]:
    earnest = [said for said in chosen if said.turn.id not in batch.role_play]
    quoted = earnest or chosen
    if not quoted:
        return []
    words, kept = _join_sentences(subject, quoted)
    turns = tuple(dict.fromkeys(said.turn.id for said in kept))
    scene = "" if earnest else text("extraction", "role_play", subject.language)
    return [
        EventDraft(
            text=words,
            turns=turns,
            time=kept[0].turn.time,
            scene=scene,
            key_words=tuple(top_keywords((said.text for said in kept), KEY_WORDS)),
        )
    ]


def _topics(batch: Batch, strong: Sequence[str]) -> tuple[TopicDraft, ...]:
    before = batch.before
    shared = set(extract_keywords(before.query)) & set(strong) if before is not None else set()
    return draft_topics(batch.turns, continues=bool(shared))


def _join_sentences(subject: Subject, said: Sequence[_Sentence]) -> tuple[str, list[_Sentence]]:
    """Join sentences to one text of at most :data:`MAX_EVENT`, and tell which of them got in."""
    kept: list[_Sentence] = []
    words = ""
    for sentence in said:
        language = language_of(sentence.text, subject.language)
        between = text("extraction", "between", language) if words else ""
        longer = f"{end_sentence(words, language)}{between}{sentence.text}"
        if kept and len(longer) > MAX_EVENT:
            break
        kept.append(sentence)
        words = longer
    return (words if len(words) <= MAX_EVENT else words[: MAX_EVENT - 1].rstrip() + "…"), kept


def _facts(subject: Subject, batch: Batch) -> list[FactDraft]:
    return [
        draft
        for turn in batch.turns
        if turn.id not in batch.role_play
        for draft in extract_facts(subject, turn)
    ]

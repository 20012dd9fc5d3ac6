"""The extractor that needs no model: it quotes, and knows a fact only where it is said outright.

A run of turns is one event in the person's own words and one theme. What is quoted is what
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
from siliconfriend.language.sentences import split_sentences
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Turn
from siliconfriend.recall.documents import OFFLINE
from siliconfriend.texts import text
from siliconfriend.topics.drafts import TopicDraft, draft_topics

QUOTED = 3
"""Sentences of a run of turns that its event quotes."""
KEY_WORDS = 6
LONGEST = 240
"""Characters of an event."""
FEWEST_KEY_WORDS = 2
"""A sentence with fewer says nothing worth a memory of its own."""

_QUESTION = ("?", "？", "吗", "呢", "吗。", "呢。")


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of the person, with the turn it stands in."""

    words: str
    turn: Turn
    key_words: frozenset[str]


class OfflineExtractor:
    """Reads by rules alone."""

    made_by = OFFLINE

    def extract(self, subject: Subject, batch: Batch, known: Sequence[Fact]) -> Extracted:
        """The batch as one event and one theme, and the facts that are said outright.

        ``known`` is of no use to a rule: what repeats or corrects is seen when it is stored.
        """
        strong = top_keywords((turn.query for turn in batch.turns), KEY_WORDS)
        chosen = _most_telling(_told(batch), strong)
        return Extracted(
            events=tuple(_events(subject, batch, chosen)),
            facts=tuple(_facts(subject, batch)),
            topics=_topics(batch, strong),
        )


def _told(batch: Batch) -> list[_Said]:
    """What the person told: neither questions, words about nothing nor the end of a play, each sentence once."""
    found: dict[str, _Said] = {}
    for turn in batch.turns:
        for sentence in split_sentences(turn.query):
            about = frozenset(extract_keywords(sentence))
            is_asked = sentence.rstrip().endswith(_QUESTION)
            if len(about) >= FEWEST_KEY_WORDS and not is_asked and not ends_role_play(sentence):
                found.setdefault(fold(sentence), _Said(sentence, turn, about))
    return list(found.values())


def _most_telling(told: Sequence[_Said], strong: Sequence[str]) -> list[_Said]:
    """The sentences with most of what the whole run is about, in the order they were said."""

    def weight(said: _Said) -> tuple[int, int]:
        return (len(said.key_words & set(strong)), len(said.key_words))

    best = sorted(told, key=weight, reverse=True)[:QUOTED]
    return [said for said in told if said in best]


def _events(subject: Subject, batch: Batch, chosen: Sequence[_Said]) -> list[EventDraft]:
    earnest = [said for said in chosen if said.turn.id not in batch.role_play]
    quoted = earnest or chosen
    if not quoted:
        return []
    words, kept = _joined(subject, quoted)
    turns = tuple(dict.fromkeys(said.turn.id for said in kept))
    scene = "" if earnest else text("extraction", "role_play", subject.language)
    return [
        EventDraft(
            text=words,
            turns=turns,
            time=kept[0].turn.time,
            scene=scene,
            key_words=tuple(top_keywords((said.words for said in kept), KEY_WORDS)),
        )
    ]


def _topics(batch: Batch, strong: Sequence[str]) -> tuple[TopicDraft, ...]:
    before = batch.before
    shared = set(extract_keywords(before.query)) & set(strong) if before is not None else set()
    return draft_topics(batch.turns, continues=bool(shared))


def _joined(subject: Subject, said: Sequence[_Said]) -> tuple[str, list[_Said]]:
    """The sentences as one text that is not too long, and those that got in."""
    kept: list[_Said] = []
    words = ""
    for it in said:
        language = language_of(it.words, subject.language)
        longer = f"{words}{text('extraction', 'between', language) if words else ''}{it.words}"
        if kept and len(longer) > LONGEST:
            break
        kept.append(it)
        words = longer
    return (words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"), kept


def _facts(subject: Subject, batch: Batch) -> list[FactDraft]:
    return [
        draft
        for turn in batch.turns
        if turn.id not in batch.role_play
        for draft in extract_facts(subject, turn)
    ]

"""The interface of extractors: input, result, and the known facts they are shown.

Few known facts are shown, so that the prompt stays short; single-valued ones (home, job) always,
since a correction in another language may share no word with them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from siliconfriend.extraction.queue import Batch
from siliconfriend.language.words import word_set
from siliconfriend.memory.days import standing_wishes
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.memory.knowledge import Event, Fact, TieKind
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.texts import Language

SINGLE_VALUED = frozenset(("name", "home", "job"))
"""Single-valued kinds of facts: another value is a correction."""
MAX_KNOWN_FACTS, MAX_KNOWN_EVENTS, MAX_KNOWN_TURNS = 12, 6, 10
"""Maximum number of known facts, events and earlier turns in an extraction prompt."""
MAX_PER_TURN = 3
"""Default number of earlier turns per turn of a batch, unless more are likely."""
LONG_OVER = timedelta(days=14)
"""Time after an event in which a batch may still report its end."""
MAX_PROMISES = 4
"""Number of newest open promises in the prompt; a fulfilment may share no word with its promise."""
MOST_WISHES = 4
"""Maximum number of standing wishes among the turns, newest first; a batch may withdraw one."""
MAX_SINGLE_VALUED = 4
"""Maximum number of single-valued facts among them, latest first."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Names of person and companion, and the person's language."""

    person: str
    companion: str
    language: Language


Known = Fact | Event | Turn
"""Known memories that a batch may repeat, correct or end."""


@dataclass(frozen=True, slots=True)
class ChangeDraft:
    """A change of a known memory by a turn of a batch: ids of both."""

    known: str
    turn: str
    how: TieKind


@dataclass(frozen=True, slots=True)
class Extracted:
    """Drafts of one reading of a batch, and the importance of turns by id, 0.1 to 1.0, where judged.

    ``refused`` are notes of the batch that its turns do not support, ``denied`` is the number of drafts
    that they do not.
    """

    events: tuple[EventDraft, ...] = ()
    facts: tuple[FactDraft, ...] = ()
    changes: tuple[ChangeDraft, ...] = ()
    importance: Mapping[str, float] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()
    denied: int = 0


class Extractor(Protocol):
    """Extracts from batches; ``made_by`` is a model's name, or ``offline``."""

    @property
    def made_by(self) -> str:
        """The author of what it extracted last."""
        ...

    def extract(self, subject: Subject, batch: Batch, known: Sequence[Known]) -> Extracted:
        """Extract events and facts from a batch, which may repeat or correct known facts.

        Raises:
            ModelError: there is no usable answer; nothing may be stored.
        """


def related_memories(memory: PersonMemory, batch: Batch) -> list[Known]:
    """Find facts, events and earlier turns that a batch may repeat, correct or end."""
    return [
        *related_facts(memory, batch),
        *_related_events(memory, batch),
        *_turns_in_mind(memory, batch),
    ]


def _related_events(memory: PersonMemory, batch: Batch) -> list[Event]:
    """Find recent or open events: those that share most words with a batch, then the newest."""
    said = word_set(*(turn.text for turn in batch.turns))
    newest = max(turn.trace.created for turn in batch.turns)
    open_ones = [
        event
        for event in memory.events()
        if event.trace.is_active and not event.superseded_by
        if event.time is None or event.time > newest - LONG_OVER
    ]
    ranked = sorted(open_ones, key=lambda event: len(said & word_set(event.text)))
    return ranked[: -MAX_KNOWN_EVENTS - 1 : -1]


def _turns_in_mind(memory: PersonMemory, batch: Batch) -> list[Turn]:
    """Return the earlier turns related to a batch, and the standing wishes, by day."""
    own = {turn.id for turn in batch.turns}
    wishes = [turn for _, turn in standing_wishes(memory)[-MOST_WISHES:] if turn.id not in own]
    likely = (used.id for turn in batch.turns for used in turn.used if used.is_likely)
    others = (used.id for turn in batch.turns for used in turn.used[:MAX_PER_TURN])
    ids = dict.fromkeys(id_ for id_ in (*likely, *others, *batch.brought) if id_ not in own)
    found = (turn for id_ in ids if isinstance(turn := memory.find(id_), Turn))
    told = [turn for turn in found if turn.trace.is_active and not turn.is_left_alone]
    earlier = [turn for turn in told if turn.date <= batch.date]
    earlier = list({turn.id: turn for turn in (*earlier[:MAX_KNOWN_TURNS], *wishes)}.values())
    return sorted(earlier, key=lambda turn: (turn.date, turn.position))


def related_facts(memory: PersonMemory, batch: Batch) -> list[Fact]:
    """Find the active facts a batch may repeat or correct, at most :data:`MAX_KNOWN_FACTS`.

    Single-valued facts come first, then open promises, then facts that share most words with the
    batch, then the newest.
    """
    facts = sorted(
        (fact for fact in memory.facts() if fact.is_active),
        key=lambda fact: fact.last,
        reverse=True,
    )
    said = word_set(*(turn.text for turn in batch.turns))
    promised = [fact for fact in facts if fact.aspect == "promise"][:MAX_PROMISES]
    single = [fact for fact in facts if fact.entity_type == "object" and fact.kind in SINGLE_VALUED]
    shared = [len(said & word_set(fact.text, fact.key_word)) for fact in facts]
    similar = sorted((-count, at) for at, count in enumerate(shared))
    chosen = [*single[:MAX_SINGLE_VALUED], *promised, *(facts[at] for _, at in similar)]
    return list({fact.id: fact for fact in chosen}.values())[:MAX_KNOWN_FACTS]

"""Frozen records derived from turns: events, facts, topics, insights.

Each lists its sources (``provenance.from_ids``), so that erasing or correcting a turn reaches it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from siliconfriend.clock import Moment
from siliconfriend.forgetting.trace import Trace

OFFLINE = "offline"
"""Maker of a text written without a model, by rules and quotations. A later night with a model
rewrites such a derived text."""
BY_PERSON = "person"
"""Maker of a text that the person corrected; nights keep it."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Sources of a derived text.

    Attributes:
        made_by: the model (``openai:NAME``), :data:`OFFLINE`, :data:`BY_PERSON` or ``import``.
        made_at: moment of creation.
        from_ids: ids of the memories it was made from.
        inputs: SHA-256 of its inputs; the text is due when the current hash differs.
    """

    made_by: str
    made_at: Moment
    from_ids: tuple[str, ...] = ()
    inputs: str = ""


DUE, GREETED = "due", "greeted"
"""Keys in :class:`Used` parts of a due matter, whose value is its distance in days, and of a matter
that the companion raised first today.
"""


@dataclass(frozen=True, slots=True)
class Used:
    """A memory that entered the prompt of a reply.

    Attributes:
        id: id of the memory.
        score: its ranking score.
        parts: the parts of the score by name.
        retention: R at the recall, before the recall strengthened it; None if it was not recalled
            or the policy has no curve.
        is_likely: its estimated probability is above 0.5, or it is due.
    """

    id: str
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    retention: float | None = None
    is_likely: bool = False

    @property
    def is_due(self) -> bool:
        """True if it was given as due, or as a matter that the companion raised first today."""
        return DUE in self.parts or GREETED in self.parts


@dataclass(frozen=True, slots=True)
class ChatPlace:
    """Place of a turn in a client program's chat.

    Attributes:
        chat: the client's id of the chat, or a generated one.
        message: the client's id of the message; empty without one.
        attempt: number of regenerated answers before this one.
    """

    chat: str
    message: str = ""
    attempt: int = 0


TieKind = Literal["ends", "replaces", "postpones", "doubts", "adds", "other"]
"""Effect of a later turn on an earlier statement: it ended, was replaced, was moved to another
time, became doubtful, was added to, or is about somebody or something else."""

CLOSING: frozenset[TieKind] = frozenset(("ends", "replaces", "postpones"))
"""Changes after which the earlier statement is no longer true."""


@dataclass(frozen=True, slots=True)
class Tie:
    """The effect of a turn on an earlier turn: judged by a model at night, or a correction.

    Attributes:
        id: id of the earlier turn.
        how: the effect.
    """

    id: str
    how: TieKind


EntityType = Literal["subject", "object", "specific", "general"]
"""What a fact is about: the companion, the person, someone or something named, a kind of thing."""

Aspect = Literal["attribute", "relation", "scene", "promise"]
"""What a fact states: a property, a relation, a remembered scene, or a promise or recommendation
of the companion."""

FactGroup = Literal[
    "attributes", "relations", "scenes", "companion", "named", "general", "promises"
]
"""Groups of displayed facts: the person's attributes, relations and scenes, the companion, someone
or something named, a kind of thing, the companion's promises."""

MOST_EVIDENCE = 100
"""Maximum number of evidence turns of a fact."""


def kept_evidence(ids: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct ids, of many the first and the last :data:`MOST_EVIDENCE` / 2."""
    found, half = tuple(dict.fromkeys(ids)), MOST_EVIDENCE // 2
    return found if len(found) <= MOST_EVIDENCE else (*found[:half], *found[-half:])


@dataclass(frozen=True, slots=True)
class DerivedRecord:
    """Fields of every derived record of a day.

    Attributes:
        id: see :mod:`siliconfriend.memory.scope`.
        date: ISO day of its newest source.
        position: 0-based index among the records of its kind and day at creation; never changes.
        text: one or a few sentences.
        trace: its forgetting state.
        provenance: its sources.

    ``extra`` holds unknown fields of an imported record for its export.
    """

    id: str
    date: str
    position: int
    text: str
    trace: Trace
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Event(DerivedRecord):
    """Something that happened or is planned.

    Attributes:
        time: aware moment; None if only the day is known.
        place: place name; empty if unknown.
        scene: surroundings or mood; empty if unknown.
        key_words: key words, most important first.
        triple: subject, predicate and object from a model; else empty.
        insight: what it shows about the person; empty for nothing.
        superseded_by: id of the turn that ended, cancelled or moved it; it is no longer recalled
            then. Empty while it is valid.
    """

    time: Moment | None = None
    place: str = ""
    scene: str = ""
    key_words: tuple[str, ...] = ()
    triple: tuple[str, ...] = ()
    insight: str = ""
    superseded_by: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fact(DerivedRecord):
    """A known statement about someone or something.

    Attributes:
        provenance: ``from_ids`` are the evidence: turns, or pages of ``topic``, limited by
            :func:`kept_evidence`.
        entity: name of what it is about.
        entity_type: type of the entity.
        aspect: type of the statement.
        key_word: main word or name.
        kind, value: attribute (``home``) and value (``Leeds``), if known.
        first, last: ISO days of the first and last mention.
        said_by: who said it.
        superseded_by: id of the fact that corrected it, or of the turn that ended it; it is no longer
            recalled then. Empty while it is valid.
        true_from, true_until: ISO days on which it replaced another fact and on which it ended;
            empty if unknown.
        doubted_by: id of a later turn that casts doubt on it; empty for none.
        topic: id of the topic whose analysis found it; empty for a plain fact.
    """

    entity: str
    entity_type: EntityType
    aspect: Aspect
    key_word: str = ""
    kind: str = ""
    value: str = ""
    first: str = ""
    last: str = ""
    said_by: Literal["person", "companion"] = "person"
    superseded_by: str = ""
    true_from: str = ""
    true_until: str = ""
    doubted_by: str = ""
    topic: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_active(self) -> bool:
        """True unless it was superseded, archived or put away."""
        return not self.superseded_by and self.trace.is_active

    @property
    def group(self) -> FactGroup:
        """The group in which lists show the fact."""
        if self.aspect == "promise":
            return "promises"
        if self.entity_type == "object":
            groups: dict[Aspect, FactGroup] = {"attribute": "attributes", "relation": "relations"}
            return groups.get(self.aspect, "scenes")
        if self.entity_type == "subject":
            return "companion"
        return "named" if self.entity_type == "specific" else "general"


@dataclass(frozen=True, slots=True)
class TopicSegment:
    """Consecutive pages of one topic in one conversation.

    Attributes:
        pages: ids of turns, oldest first.
        overview: subject of the conversation.
    """

    pages: tuple[str, ...]
    overview: str = ""


@dataclass(frozen=True, slots=True)
class Topic(DerivedRecord):
    """A recurring topic: turns ("pages") about the same subject.

    Attributes:
        provenance: ``from_ids`` are all its pages.
        key_words: key words, compared with new pages by Jaccard similarity.
        talks: its segments, oldest first.
        visits: recalls since the last analysis (N_visit).
        length: pages added since the last analysis (L_interaction).
        uses: recalls in total; the least used topic is evicted first.
        last_visit: moment of the last recall or growth.
        analysed: ids of pages whose facts were already extracted.
    """

    key_words: tuple[str, ...] = ()
    talks: tuple[TopicSegment, ...] = ()
    visits: int = 0
    length: int = 0
    uses: int = 0
    last_visit: Moment | None = None
    analysed: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def pages(self) -> tuple[str, ...]:
        """Ids of all its turns, in the order they were added."""
        return tuple(page for talk in self.talks for page in talk.pages)


@dataclass(frozen=True, slots=True)
class Insight(DerivedRecord):
    """A conclusion of the companion about its memories.

    Attributes:
        provenance: ``from_ids`` are its evidence. It remains if the evidence fades, and is removed
            if the evidence is erased.
        question: the question that it answers.
    """

    question: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

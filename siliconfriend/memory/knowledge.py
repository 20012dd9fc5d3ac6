"""Records of extracted events, facts and topics, frozen, and what derived texts come from.

Each names its turns (``provenance.from_ids``), so that erasing or correcting a turn reaches it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from siliconfriend.clock import Moment
from siliconfriend.forgetting.trace import Trace

OFFLINE = "offline"
"""Who wrote a text where there was no model, by rules and quotations; a night has a model write
a derived text anew, and a reply made so says nothing new."""
BY_PERSON = "person"
"""Maker of a text that the person corrected; the night keeps it."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Sources of a derived text.

    Attributes:
        made_by: the model (``openai:NAME``), :data:`OFFLINE`, :data:`BY_PERSON` or ``import``.
        made_at: when.
        from_ids: the memories it rests on.
        inputs: SHA-256 of the words it was made from; a stage is due when it differs.
    """

    made_by: str
    made_at: Moment
    from_ids: tuple[str, ...] = ()
    inputs: str = ""


@dataclass(frozen=True, slots=True)
class Used:
    """A memory that entered the prompt of a reply.

    Attributes:
        id: the memory's.
        score: what it was ranked by.
        parts: what the score is made of, by name.
        retention: R when it was recalled, before that strengthened it; None where no recall
            found it, or the policy has no curve.
        is_likely: the message more likely than not called for it.
    """

    id: str
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    retention: float | None = None
    is_likely: bool = False


@dataclass(frozen=True, slots=True)
class ChatPlace:
    """Place of a turn in a client program's chat.

    Attributes:
        chat: the client's id of the chat, or one made here where it sends none.
        message: the client's id of the message; empty where it sends none.
        attempt: how often the message was answered anew.
    """

    chat: str
    message: str = ""
    attempt: int = 0


Change = Literal["ends", "replaces", "postpones", "doubts", "adds", "other"]
"""What a later turn does to something told before: it is over, done or not so any more; something
else holds in its place; it is at another time; it may not hold any more; both hold; it is about
somebody or something else."""

CLOSING: frozenset[Change] = frozenset(("ends", "replaces", "postpones"))
"""Changes after which the earlier words no longer hold as they were told."""


@dataclass(frozen=True, slots=True)
class Tie:
    """What a turn changes of an earlier turn, as a model judged at night.

    Attributes:
        id: the earlier turn's.
        how: what becomes of what it told.
    """

    id: str
    how: Change


EntityType = Literal["subject", "object", "specific", "general"]
"""Whom a fact is about: the companion, the person, someone or something named, a sort of thing."""

Aspect = Literal["attribute", "relation", "scene", "promise"]
"""What a fact says: what something is like, how two are to each other, a picture that was
remembered, or what the companion promised or recommended."""

FactGroup = Literal[
    "attributes", "relations", "scenes", "companion", "named", "general", "promises"
]
"""What a fact belongs to when facts are shown together: the person's attributes, relations and
scenes, the companion, someone or something named, a sort of thing, the companion's promises."""


MOST_EVIDENCE = 100
"""Turns that a fact keeps as its evidence."""


def kept_evidence(ids: Iterable[str]) -> tuple[str, ...]:
    """The ids that a fact keeps of all that tell it, each once: of many the first and the last."""
    found, half = tuple(dict.fromkeys(ids)), MOST_EVIDENCE // 2
    return found if len(found) <= MOST_EVIDENCE else (*found[:half], *found[-half:])


@dataclass(frozen=True, slots=True)
class DerivedRecord:
    """Fields of every derived record in a list of its day.

    Attributes:
        id: see :mod:`siliconfriend.memory.scope`.
        date: the day of the newest turn or memory it comes from.
        position: 0-based number among the records of its kind and day at creation; never shifts.
        text: what it says, in a sentence or a few.
        trace: its state for forgetting.
        provenance: ``from_ids`` are the turns or memories it comes from.

    Each kind keeps in ``extra`` unknown fields of an import for its export.
    """

    id: str
    date: str
    position: int
    text: str
    trace: Trace
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Event(DerivedRecord):
    """Something that happened, in a sentence of its own.

    Attributes:
        time: when it happened as far as it is known, aware; None where only the day is.
        place: where, empty where nobody said.
        scene: in what surroundings or mood, empty where nobody said.
        key_words: what it is about, most telling first.
        triple: subject, predicate and object, where a model told them; else empty.
        insight: what it shows about the person; empty where nothing.
        superseded_by: id of the turn that told it is over, done, cancelled or moved; it is history
            then and no longer recalled. Empty while it holds.
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
    """One thing that is known about someone or something.

    Attributes:
        provenance: ``from_ids`` are the evidence: turns, or the pages of ``topic``; of many the
            first and the last (:func:`kept_evidence`).
        entity: the name of what it is about.
        entity_type: what that is.
        aspect: what it says.
        key_word: the one word or name it is found by.
        kind, value: what sort of thing it states (``home``) and of what (``Leeds``), where that
            is known.
        first, last: ISO days on which it was first and last told.
        said_by: who told it.
        superseded_by: id of the fact that corrected it or that it was merged into, or of the
            turn that ended it; it is history then and no longer recalled. Empty while it holds.
        true_from, true_until: ISO days on which it was told that it holds in place of another,
            and that it holds no longer; empty where nobody told.
        doubted_by: id of a later turn after which it may hold no longer; empty for none.
        merged: its words were looked at for repetitions and need not be again.
        topic: id of the topic whose analysis found it: an entry of the user knowledge, or of
            the companion where ``entity_type`` is ``subject`` or ``said_by`` the companion.
            Empty for a plain fact.
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
    merged: bool = False
    topic: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_active(self) -> bool:
        """True if it was neither superseded nor archived, nor put away."""
        return not self.superseded_by and self.trace.is_active

    @property
    def group(self) -> FactGroup:
        """Group the fact by what it is about and what it says of it, for every list of facts."""
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
    """Pages of one topic that follow each other in one talk, under one overview.

    Attributes:
        pages: ids of turns, oldest first.
        overview: what the talk was about.
    """

    pages: tuple[str, ...]
    overview: str = ""


@dataclass(frozen=True, slots=True)
class Topic(DerivedRecord):
    """A recurring topic: pages of talk that belong together.

    Attributes:
        provenance: ``from_ids`` are all its pages.
        key_words: what it is about, for the Jaccard share with new pages.
        talks: its pages, by talk, oldest first.
        visits: recalls since it was last analysed (N_visit).
        length: pages that joined since it was last analysed (L_interaction).
        uses: recalls ever, by which the least used is put away.
        last_visit: when it was last recalled or grew.
        analysed: ids of pages whose knowledge was already taken.
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
        """Ids of all its turns, in the order they joined."""
        return tuple(page for talk in self.talks for page in talk.pages)


@dataclass(frozen=True, slots=True)
class Insight(DerivedRecord):
    """A thought of the companion's own about what it remembers; recalled and fading like the rest.

    Attributes:
        provenance: ``from_ids`` are its evidence. It outlives their fading and goes with
            their erasing.
        question: the question that it answers.
    """

    question: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

"""The result of a recall, and how memories that enter a prompt are strengthened."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from siliconfriend.errors import ModelUnavailable
from siliconfriend.forgetting.policy import HALF, IMPORTANT, ForgettingPolicy
from siliconfriend.language.message import read_message
from siliconfriend.language.words import word_set
from siliconfriend.memory.changes import Change, PutDerived, PutTrace
from siliconfriend.memory.knowledge import BY_PERSON, Fact
from siliconfriend.memory.records import Memory, PersonMemory, Turn, kind_of
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.likelihood import LIKELY


@dataclass(frozen=True, slots=True)
class Recalled:
    """One memory that was found.

    Attributes:
        score: what it is ranked by.
        parts: components of the score by name (``dense``, ``lexical``, …).
        state: ``vivid``, ``faded`` or ``archived`` at the moment of the recall.
        strength: S.
        retention: R at that moment, None if the policy has no curve.
        likelihood: probability that the memory is relevant, 0 to 1.
        is_likely: the likelihood is above 0.5. Only then is the memory strengthened, and quoted
            offline without a caveat.
    """

    memory: Memory
    score: float
    parts: Mapping[str, float]
    state: str
    strength: float
    retention: float | None
    likelihood: float = 1.0
    is_likely: bool = True


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The result of a recall.

    Attributes:
        memories: best first.
        facts: relevant facts, best first.
        timings_ms: duration of each step by name.
        trouble: why the embedder failed, where words alone ranked.
        unembedded: number of texts without vectors; above 0, the search used words only.
        spans: the days that the question names.
        chains: later turns about the best memories, oldest first, by the memory's id.
    """

    query: str
    recipe: str
    now: datetime
    memories: tuple[Recalled, ...] = ()
    facts: tuple[Recalled, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    unembedded: int = 0
    trouble: ModelUnavailable | None = None
    spans: tuple[DateSpan, ...] = ()
    chains: Mapping[str, tuple[Turn, ...]] = field(default_factory=dict)


def put_right(memories: Iterable[Recalled], facts: Iterable[Recalled]) -> tuple[Recalled, ...]:
    """Replace source turns by each likely fact that the person corrected.

    The turns stay among the memories but are no longer likely, so the correction is the answer. If
    the correction is not likely, the turns keep their likelihood.
    """
    replaced = {
        identifier
        for found in facts
        if found.is_likely and isinstance(found.memory, Fact)
        for identifier in found.memory.provenance.from_ids
        if found.memory.provenance.made_by == BY_PERSON
    }
    return tuple(
        replace(result, is_likely=False) if result.memory.id in replaced else result
        for result in memories
    )


def recalled(
    memory: Memory,
    parts: Mapping[str, float],
    likelihood: float,
    *,
    policy: ForgettingPolicy,
    person: PersonMemory,
    now: datetime,
) -> Recalled:
    """Build the result of a memory, with the components of its score."""
    trace, kind = memory.trace, kind_of(memory)
    share_left = policy.retention(trace, kind, now) if policy.has_curve else None
    state = (
        "faded" if share_left is not None and share_left < HALF and not trace.pinned else "vivid"
    )
    if trace.archived is not None:
        state = "archived"
    strength = policy.strength(trace, person.mentions(memory))
    is_likely = likelihood >= LIKELY
    return Recalled(
        *(memory, sum(parts.values()), parts, state, strength, share_left, likelihood, is_likely)
    )


def place_of_fact(found: Recalled) -> tuple[int, int, float, str]:
    """Order facts: what people are to each other, the person's attributes, names, the rest.

    In each the newest come first. So the dynamic memory of a virtual human lists them
    (``docs/sources.md``, its third version).
    """
    fact = found.memory
    assert isinstance(fact, Fact)
    group = 2 if fact.entity_type == "specific" else 3
    if fact.entity_type in ("subject", "object") and fact.aspect in ("relation", "promise"):
        group = 0
    elif fact.entity_type == "object" and fact.aspect == "attribute":
        group = 1
    day = date.fromisoformat(fact.last or fact.first or fact.date).toordinal()
    return group, -day, -found.likelihood, fact.id


def is_only_repeated(memory: Memory, message: str) -> bool:
    """True if a message only repeats an unimportant turn and asks nothing."""
    if not isinstance(memory, Turn) or (memory.trace.importance or 0.0) >= IMPORTANT:
        return False
    if read_message(message).ends_as_question and not read_message(memory.query).ends_as_question:
        return False
    return word_set(memory.query) <= word_set(message)


def reinforcing_changes(
    memory: PersonMemory, ids: Collection[str], now: datetime
) -> Iterator[Change]:
    """Yield the changes by which these memories are recalled, and their topics visited."""
    for identifier in ids:
        record = memory.find(identifier)
        if record is not None:
            trace = record.trace.recalled(now, memory.profile.zone)
            if trace is not record.trace:
                yield PutTrace(identifier, trace)
    yield from visits(memory, ids, now)


def visits(memory: PersonMemory, ids: Collection[str], now: datetime) -> Iterator[PutDerived]:
    """Yield the topics that hold any of the pages ``ids``, each with one visit more.

    A visit is also a recall of the topic, so active topics do not fade. An
    archived topic is not visited.
    """
    entered = frozenset(ids)
    for topic in memory.topics():
        if topic.trace.is_active and not entered.isdisjoint(topic.provenance.from_ids):
            yield PutDerived(
                replace(
                    topic,
                    visits=topic.visits + 1,
                    uses=topic.uses + 1,
                    last_visit=now,
                    trace=topic.trace.recalled(now, memory.profile.zone),
                )
            )

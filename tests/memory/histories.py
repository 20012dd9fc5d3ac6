"""Any sequence of changes hypothesis thinks of, over three days with four places each."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, get_args

from hypothesis import strategies as st

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import (
    Change,
    Erase,
    PutContext,
    PutDerived,
    PutOverallHistory,
    PutOverallPersonality,
    PutPersonality,
    PutProfile,
    PutReflection,
    PutSummary,
    PutTrace,
    PutTurn,
)
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import (
    Aspect,
    EntityType,
    Event,
    Fact,
    Insight,
    Topic,
    TopicSegment,
)
from siliconfriend.memory.provenance import Provenance, Used
from siliconfriend.memory.records import (
    Context,
    DayPersonality,
    DaySummary,
    Derived,
    Overall,
    Profile,
    Turn,
)
from tests.memory.people import DATES, NORA, NOW

moments = st.integers(-(10**15), 10**15).map(lambda it: NOW + timedelta(microseconds=it))
days = st.sampled_from(DATES)
places = st.integers(0, 3)
words = st.text(max_size=12)
numbers = st.floats(0, 100)
extras = st.dictionaries(
    words, st.one_of(words, st.none(), st.lists(st.integers(0, 9))), max_size=2
)
turn_ids = st.builds(lambda day, place: memory_id(NORA, "turn", day, place), days, places)
derived_ids = st.builds(
    lambda kind, day, place: memory_id(NORA, kind, day, place),
    st.sampled_from(["insight", "event", "fact", "topic"]),
    days,
    places,
)
ids = st.one_of(turn_ids, derived_ids, st.builds(lambda day: memory_id(NORA, "day", day, 0), days))
traces = st.builds(
    Trace,
    created=moments,
    first_strength=numbers,
    recalls=st.lists(moments, max_size=3).map(lambda it: tuple(sorted(it))),
    importance=st.none() | st.floats(0.1, 1),
    pinned=st.booleans(),
    archived=st.none() | moments,
    restored=st.none() | moments,
    expires=st.none() | moments,
    brought=st.none() | moments,
)
contexts = st.sampled_from(get_args(Context))
used = st.builds(Used, ids, numbers, st.dictionaries(words, numbers, max_size=2))
provenances = st.builds(
    Provenance, words, moments, st.lists(ids, max_size=2).map(tuple), inputs=words
)


@st.composite
def turns(draw: st.DrawFn) -> Turn:
    """Any turn of the three days."""
    day, position = draw(days), draw(places)
    return Turn(
        id=memory_id(NORA, "turn", day, position),
        date=day,
        position=position,
        query=draw(words),
        response=draw(words),
        time=draw(st.none() | moments),
        trace=draw(traces),
        origin=draw(st.sampled_from(["chat", "import"])),
        replied_by=draw(words),
        interrupted=draw(st.booleans()),
        used=tuple(draw(st.lists(used, max_size=2))),
        index_text=draw(st.none() | words),
        edited=draw(st.booleans()),
        context=draw(contexts),
        metadata=draw(extras),
        extra=draw(extras),
    )


@st.composite
def summaries(draw: st.DrawFn) -> PutSummary:
    """A summary set or taken away."""
    day = draw(days)
    if draw(st.booleans()):
        return PutSummary(day, None)
    identifier = memory_id(NORA, "day", day, 0)
    made = draw(provenances)
    return PutSummary(
        day, DaySummary(identifier, day, draw(words), draw(traces), made, draw(extras))
    )


@st.composite
def personalities(draw: st.DrawFn) -> PutPersonality:
    """A personality set or taken away."""
    day = draw(days)
    if draw(st.booleans()):
        return PutPersonality(day, None)
    parts = {part: draw(words) for part in ("traits", "mood", "strategy")}
    made = DayPersonality(day, draw(words), draw(provenances), **parts, extra=draw(extras))
    return PutPersonality(day, made)


@st.composite
def derived(draw: st.DrawFn) -> Derived:
    """Any insight, event, fact or topic of the three days."""
    kind, day, position = draw(st.sampled_from(sorted(OWN_FIELDS))), draw(days), draw(places)
    record, fields = OWN_FIELDS[kind]
    return record(
        id=memory_id(NORA, kind, day, position),
        date=day,
        position=position,
        text=draw(words),
        trace=draw(traces),
        provenance=draw(provenances),
        extra=draw(extras),
        **{name: draw(values) for name, values in fields.items()},
    )


several_words = st.lists(words, max_size=2).map(tuple)
several_ids = st.lists(ids, max_size=2).map(tuple)
OWN_FIELDS: dict[str, tuple[type[Any], dict[str, st.SearchStrategy[Any]]]] = {
    "insight": (Insight, {"depth": st.integers(1, 3), "question": words}),
    "event": (
        Event,
        {
            "time": st.none() | moments,
            "place": words,
            "scene": words,
            "key_words": several_words,
            "insight": words,
        },
    ),
    "fact": (
        Fact,
        {
            "entity": words,
            "entity_type": st.sampled_from(get_args(EntityType)),
            "aspect": st.sampled_from(get_args(Aspect)),
            "key_word": words,
            "first": days,
            "last": days,
            "said_by": st.sampled_from(["person", "companion"]),
            "superseded_by": st.just("") | ids,
            "merged": st.booleans(),
            "topic": st.just("") | ids,
        },
    ),
    "topic": (
        Topic,
        {
            "key_words": several_words,
            "talks": st.lists(st.builds(TopicSegment, several_ids, words, words), max_size=2).map(
                tuple
            ),
            "visits": st.integers(0, 9),
            "length": st.integers(0, 9),
            "uses": st.integers(0, 9),
            "last_visit": st.none() | moments,
            "analysed": several_ids,
        },
    ),
}
overalls = st.none() | st.builds(Overall, words, provenances)
profiles = st.builds(
    Profile,
    st.just(NORA.person),
    st.sampled_from(["en", "cn"]),
    st.sampled_from(["UTC", "Asia/Shanghai", "America/New_York"]),
    moments,
    extras,
    extras,
)
changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(PutTurn, turns()),
    st.builds(PutTurn, turns()),
    summaries(),
    personalities(),
    st.builds(PutOverallHistory, overalls),
    st.builds(PutOverallPersonality, overalls),
    st.builds(PutDerived, derived()),
    st.builds(PutContext, several_ids, contexts),
    st.builds(PutReflection, st.none() | provenances),
    st.builds(PutTrace, ids, traces),
    st.builds(PutProfile, profiles),
    st.builds(Erase, st.lists(turn_ids | derived_ids, max_size=2).map(tuple)),
)

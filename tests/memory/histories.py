"""Any sequence of changes hypothesis thinks of, over three days with four places each."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import strategies as st

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import (
    Change,
    Erase,
    PutInsight,
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
from siliconfriend.memory.records import (
    DayPersonality,
    DaySummary,
    Insight,
    Overall,
    Profile,
    Provenance,
    Turn,
    Used,
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
insight_ids = st.builds(lambda day, place: memory_id(NORA, "insight", day, place), days, places)
ids = st.one_of(turn_ids, insight_ids, st.builds(lambda day: memory_id(NORA, "day", day, 0), days))
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
)
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
def insights(draw: st.DrawFn) -> Insight:
    """Any insight of the three days."""
    day, position = draw(days), draw(places)
    return Insight(
        id=memory_id(NORA, "insight", day, position),
        date=day,
        position=position,
        text=draw(words),
        trace=draw(traces),
        provenance=draw(provenances),
        depth=draw(st.integers(1, 3)),
        question=draw(words),
        extra=draw(extras),
    )


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
    st.builds(PutInsight, insights()),
    st.builds(PutReflection, st.none() | provenances),
    st.builds(PutTrace, ids, traces),
    st.builds(PutProfile, profiles),
    st.builds(Erase, st.lists(turn_ids | insight_ids, max_size=2).map(tuple)),
)

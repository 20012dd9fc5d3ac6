"""Any sequence of changes hypothesis thinks of, over three days with four places each."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime, timedelta
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import (
    Change,
    Erase,
    PutContext,
    PutDerived,
    PutField,
    PutPersonality,
    PutSummary,
    PutTrace,
    PutTurn,
)
from siliconfriend.memory.days import OVERALL
from siliconfriend.memory.knowledge import Provenance
from siliconfriend.memory.records import (
    DERIVED_TYPES,
    DayPersonality,
    DaySummary,
    Overall,
    Profile,
    QueueState,
    Turn,
)
from siliconfriend.memory.scope import memory_id
from tests.memory.people import DATES, NORA, NOW

moments = st.integers(-(10**15), 10**15).map(lambda one: NOW + timedelta(microseconds=one))
days = st.sampled_from(DATES)
places = st.integers(0, 3)
words = st.text(max_size=12)
extras = st.dictionaries(
    words, st.one_of(words, st.none(), st.lists(st.integers(0, 9))), max_size=2
)
kinds = st.sampled_from(["turn", *DERIVED_TYPES])
ids = st.builds(lambda kind, day, at: memory_id(NORA, kind, day, at), kinds, days, places)
several_ids = st.lists(ids, max_size=2).map(tuple)

_PLAIN: Mapping[Any, st.SearchStrategy[Any]] = {
    NoneType: st.none(),
    bool: st.booleans(),
    int: st.integers(0, 9),
    float: st.floats(0, 100),
    str: words,
    datetime: moments,
}
_GIVEN: Mapping[type[Any], Mapping[str, st.SearchStrategy[Any]]] = {
    Trace: {
        "recalls": st.lists(moments, max_size=3).map(lambda one: tuple(sorted(one))),
        "importance": st.none() | st.floats(0.1, 1),
    },
    Turn: {"brought_from": st.none()},
    Provenance: {"from_ids": several_ids},
    Profile: {
        "name": st.just(NORA.person),
        "timezone": st.sampled_from(["UTC", "Asia/Shanghai", "America/New_York"]),
    },
}


def any_of(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type, as the fields of records have them."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, UnionType):
        return st.one_of(*map(any_of, arguments))
    if origin is tuple:
        return st.lists(any_of(arguments[0]), max_size=2).map(tuple)
    if origin is Mapping:
        return st.dictionaries(words, st.floats(0, 9)) if arguments[1] is float else extras
    return _PLAIN[kind] if kind in _PLAIN else any_record(kind)


def any_record(kind: type[Any], **given: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Any record of a type, with every field it has."""
    hints = get_type_hints(kind)
    given = {**_GIVEN.get(kind, {}), **given}
    others = {
        field.name: any_of(hints[field.name]) for field in fields(kind) if field.name not in given
    }
    return st.builds(kind, **others, **given)


@st.composite
def placed(draw: st.DrawFn, kind: str, record: type[Any]) -> Any:
    """Any record of a kind, at one of the places."""
    day, at = draw(days), 0 if kind == "day" else draw(places)
    place = {"id": memory_id(NORA, kind, day, at), "date": day, "position": at}
    own = {field.name for field in fields(record)}
    return draw(
        any_record(record, **{name: st.just(one) for name, one in place.items() if name in own})
    )


def dated(change: Any, record: st.SearchStrategy[Any]) -> st.SearchStrategy[Change]:
    """A text of a day set or taken away."""
    return st.one_of(
        record.map(lambda one: change(one.date, one)), days.map(lambda day: change(day, None))
    )


def perhaps(record: type[Any]) -> st.SearchStrategy[Any]:
    """Any record of a type, or None."""
    return st.none() | any_record(record)


changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(PutTurn, placed("turn", Turn)),
    st.builds(PutTurn, placed("turn", Turn)),
    dated(PutSummary, placed("day", DaySummary)),
    dated(PutPersonality, any_record(DayPersonality, date=days)),
    st.builds(PutField, st.sampled_from(list(OVERALL)), perhaps(Overall)),
    *(st.builds(PutDerived, placed(kind, each)) for kind, each in DERIVED_TYPES.items()),
    st.builds(PutContext, several_ids, any_of(QueueState)),
    st.builds(PutField, st.just("last_reflection"), perhaps(Provenance)),
    st.builds(PutTrace, ids, any_record(Trace)),
    st.builds(PutField, st.just("profile"), any_record(Profile)),
    st.builds(Erase, several_ids),
)

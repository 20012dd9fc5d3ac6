"""LangGraph's store over a memory bank: items are turns, which fade like all others.

One part of each namespace names the person, so that no search reaches another person's memory.
"""

from __future__ import annotations

import asyncio
import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from siliconfriend.memory.records import Turn
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank

ENTRY = "langgraph"
"""Key of a turn's metadata that holds the item."""
TEXT_FIELDS = ("text", "content", "memory", "data")
"""Fields of a value that may hold its words; the first present is used, else the whole value."""
WIDER = 5
"""Factor by which more is recalled than wanted, since not every memory is an item."""

_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


class SiliconFriendStore(BaseStore):
    """Stores items as turns of the person whom their namespace names.

    An item's words count as said by the person on that day. A new value of a key archives the
    old one; ``delete`` erases the item and everything made from it. There is no TTL: an item that
    is never recalled fades, and can still be read by its key.

    Args:
        bank: where people are remembered.
        person_at: index of the part of a namespace that names the person; with 1, the memories
            of Ada are under ``("memories", "Ada")``.
    """

    supports_ttl = False

    def __init__(self, bank: MemoryBank, *, person_at: int = 1) -> None:
        self._bank = bank
        self._person_at = person_at

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do operations in their order.

        Raises:
            ValueError: an item is put into a namespace that is too short.
            RefusedName: the namespace has an invalid name.
        """
        return [self._do(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do operations as :meth:`batch`, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _do(self, op: Op) -> Result:
        match op:
            case GetOp():
                return self._get(op.namespace, op.key)
            case PutOp():
                self._put(op)
                return None
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._list_namespaces(op)
        msg = f"not an operation of a store: {op!r}"
        raise ValueError(msg)

    def _get(self, namespace: tuple[str, ...], key: str) -> Item | None:
        person = self._person(namespace)
        found = _newest(person).get((namespace, key)) if person is not None else None
        return found[0] if found is not None else None

    def _put(self, op: PutOp) -> None:
        if len(op.namespace) <= self._person_at:
            msg = f"part {self._person_at} of the namespace {op.namespace} must name a person"
            raise ValueError(msg)
        person, place = self._bank.person(op.namespace[self._person_at]), (op.namespace, op.key)
        old = [turn.id for item, turn in _entries(person) if (item.namespace, item.key) == place]
        if op.value is None:
            if old:
                person.erase(*old)
            return
        entry = {"namespace": list(op.namespace), "key": op.key, "value": op.value}
        kept = {ENTRY: entry | {"search": op.index is not False}}
        person.add(_words(op), replied_by=ENTRY, metadata=kept)
        if old:
            person.forget(*old)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        person = self._person(op.namespace_prefix)
        if person is None:
            return []
        size, last = len(op.namespace_prefix), op.offset + op.limit
        items = {
            turn.id: (item, turn)
            for item, turn in _newest(person).values()
            if item.namespace[:size] == op.namespace_prefix
            and _matches(item.value, op.filter or {})
        }
        if not op.query:
            latest = sorted((item for item, _ in items.values()), key=lambda it: it.updated_at)
            return latest[::-1][op.offset : last]
        scored = []
        for recalled in person.recall(op.query, top=last * WIDER, reinforce=True).memories:
            item, turn = items.get(recalled.memory.id, (None, None))
            # What only came along with another memory of its day answers nothing by itself.
            if item and turn and recalled.is_likely and turn.metadata[ENTRY]["search"]:
                item.score = recalled.score
                scored.append(item)
        return scored[op.offset : last]

    def _list_namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        companion = self._bank.runtime.settings.companion
        spaces = {
            namespace[: op.max_depth]
            for scope in self._bank.people()
            if scope.companion == companion
            for namespace, _key in _newest(self._bank.person(scope.person))
            if all(_fits(namespace, condition) for condition in op.match_conditions or ())
        }
        return sorted(spaces)[op.offset : op.offset + op.limit]

    def _person(self, namespace: Sequence[str]) -> Person | None:
        """Return the person a namespace names; None for an unknown one."""
        if len(namespace) <= self._person_at:
            return None
        person = self._bank.person(namespace[self._person_at])
        return person if person.is_known() else None


def _entries(person: Person) -> Iterator[tuple[SearchItem, Turn]]:
    """Yield what every put of a person's items left, oldest first; values that were replaced too."""
    for turn in person.turns() if person.is_known() else ():
        kept = turn.metadata.get(ENTRY)
        if isinstance(kept, Mapping) and not turn.unkept:
            made = turn.trace.created
            space, key, value = tuple(kept["namespace"]), str(kept["key"]), dict(kept["value"])
            yield SearchItem(space, key, value, made, made), turn


def _newest(person: Person) -> dict[tuple[tuple[str, ...], str], tuple[SearchItem, Turn]]:
    """Return the last value of each key, created when the first was."""
    newest: dict[tuple[tuple[str, ...], str], tuple[SearchItem, Turn]] = {}
    for item, turn in _entries(person):
        place = (item.namespace, item.key)
        if place in newest:
            item.created_at = newest[place][0].created_at
        newest[place] = item, turn
    return newest


def _words(op: PutOp) -> str:
    """Return the text an item is indexed by: the fields to index, else its text, else all of it."""
    assert op.value is not None
    fields = op.index if isinstance(op.index, list) else TEXT_FIELDS
    texts = [op.value[field] for field in fields if isinstance(op.value.get(field), str)]
    if not isinstance(op.index, list):
        texts = texts[:1]
    return "\n".join(texts).strip() or json.dumps(op.value, ensure_ascii=False)


def _matches(value: Any, wanted: Any) -> bool:
    """Return True if a value matches a filter; what cannot be compared does not."""
    if not isinstance(wanted, Mapping):
        return bool(value == wanted)
    for name, other in wanted.items():
        if not name.startswith("$"):
            if not (isinstance(value, Mapping) and _matches(value.get(name), other)):
                return False
            continue
        if name not in _OPERATORS:
            msg = f"not an operator of a filter: {name}"
            raise ValueError(msg)
        try:
            if not _OPERATORS[name](value, other):
                return False
        except TypeError:
            return False
    return True


def _fits(namespace: Sequence[str], condition: MatchCondition) -> bool:
    """Return True if a namespace begins or ends as a condition says; ``*`` matches any part."""
    path, parts = list(condition.path), list(namespace)
    if condition.match_type == "suffix":
        path, parts = path[::-1], parts[::-1]
    return len(path) <= len(parts) and all(
        wanted in ("*", part) for wanted, part in zip(path, parts, strict=False)
    )

"""This memory for LangChain and LangGraph: a retriever, a message history and a store.

Needs ``pip install 'siliconfriend[langchain]'``. One part of each namespace of the store names the
person, so that no search reaches another person's memory.
"""

from __future__ import annotations

import asyncio
import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.retrievers import BaseRetriever
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
from pydantic import ConfigDict, Field

from siliconfriend.memory.records import Turn, kind_of
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.results import Recalled

REPLIED_BY = "langchain"
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


class SiliconFriendRetriever(BaseRetriever):
    """Retrieves memories and facts alternately, best first.

    Attributes:
        person: whose memory, from ``MemoryBank(...).person(name)``.
        k: most documents.
        reinforce: strengthen what is relevant, as a reply does; for documents that enter a prompt.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    person: Person
    k: int = Field(default=10, ge=1)
    reinforce: bool = True

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        """Recall; return nothing for an unknown person."""
        most = self.k if k is None else k
        if not self.person.is_known():
            return []
        found = self.person.recall(query, top=most, reinforce=self.reinforce)
        mixed = chain.from_iterable(zip_longest(found.memories, found.facts))
        return [_document(recalled) for recalled in mixed if recalled is not None][:most]


def _document(recalled: Recalled) -> Document:
    memory = recalled.memory
    return Document(
        id=memory.id,
        page_content=searched_text(memory),
        metadata={
            "id": memory.id,
            "kind": kind_of(memory),
            "date": memory.date,
            "score": recalled.score,
            "state": recalled.state,
        },
    )


class SiliconFriendChatMessageHistory(BaseChatMessageHistory):
    """Stores messages and shows the present conversation.

    Messages of a person become turns, a model's words the answer to the message before. Messages
    of other roles (system, tools) are not stored. ``clear`` ends the conversation and forgets
    nothing: only the person may erase.

    Args:
        person: whose memory, from ``MemoryBank(...).person(name)``.
    """

    def __init__(self, person: Person) -> None:
        super().__init__()
        self._person = person

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # LangChain declares an attribute and lets subclasses make it a property
        """Messages of the present conversation, oldest first, of the last six hours at most."""
        messages: list[BaseMessage] = []
        for turn in self._person.conversation():
            messages.append(HumanMessage(turn.query))
            if turn.response:
                messages.append(AIMessage(turn.response))
        return messages

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store messages durably."""
        said = ""
        for message in messages:
            words = message.text.strip()
            if isinstance(message, HumanMessage) and words:
                if said:
                    self._person.add(said)
                said = words
            elif isinstance(message, AIMessage) and words:
                self._answer(said, words)
                said = ""
        if said:
            self._person.add(said)

    def clear(self) -> None:
        """End the conversation and forget nothing."""
        self._person.change_scene()

    def _answer(self, said: str, words: str) -> None:
        """Store an exchange, or the answer to the last message."""
        if said:
            self._person.add(said, words, replied_by=REPLIED_BY)
            return
        last = next(reversed(self._person.conversation()), None)
        if last is not None:
            self._person.answer(last.id, words, replied_by=REPLIED_BY)


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

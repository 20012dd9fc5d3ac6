"""This memory for LangChain and LangGraph: a retriever, a message history and a store.

Needs ``pip install 'siliconfriend[langchain]'``. One part of each namespace of the store names the
person, so that no search reaches another person's memory.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, zip_longest
from typing import Any

import langgraph.store.base as langgraph
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.retrievers import BaseRetriever
from langgraph.store.memory import InMemoryStore
from pydantic import ConfigDict, Field

from siliconfriend.memory.records import Turn, kind_of
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.documents import searched_text

REPLIED_BY = "langchain"
ENTRY = "langgraph"
"""Key of a turn's metadata that holds the item."""
TEXT_FIELDS = ("text", "content", "memory", "data")
"""Fields of a value that may hold its words; the first present is used, else the whole value."""
WIDER = 5
"""Factor by which more is recalled than wanted, since not every memory is an item."""
Items = dict[tuple[tuple[str, ...], str], tuple[langgraph.SearchItem, list[Turn]]]


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
        documents = []
        for recalled in [recalled for recalled in mixed if recalled is not None][:most]:
            memory = recalled.memory
            about = {"id": memory.id, "kind": kind_of(memory), "date": memory.date}
            about |= {"score": recalled.likelihood, "state": recalled.state}
            words = searched_text(memory)
            documents.append(Document(id=memory.id, page_content=words, metadata=about))
        return documents


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
        turn_id = next((turn.id for turn in reversed(self._person.conversation())), "")
        for message in messages:
            words = message.text.strip()
            if isinstance(message, HumanMessage) and words:
                turn_id = self._person.add(words).turn.id
            elif isinstance(message, AIMessage) and words and turn_id:
                self._person.answer(turn_id, words, replied_by=REPLIED_BY)

    def clear(self) -> None:
        """End the conversation and forget nothing."""
        self._person.change_scene()


class SiliconFriendStore(langgraph.BaseStore):
    """Stores items as turns of the person in their namespace.

    An item's words count as said by the person on that day. A new value of a key archives the
    old one; ``delete`` erases the item and everything made from it. There is no TTL: an item that
    is never recalled fades, and can still be read by its key.

    Args:
        bank: where people are remembered.
        person_at: index of the part of a namespace that names the person; with 1, the memories
            of Ada are under ``("memories", "Ada")``.
    """

    def __init__(self, bank: MemoryBank, *, person_at: int = 1) -> None:
        self._bank = bank
        self._person_at = person_at
        self._do: Mapping[type, Callable[[Any], langgraph.Result]] = {
            langgraph.GetOp: self._get,
            langgraph.PutOp: self._put,
            langgraph.SearchOp: self._search,
            langgraph.ListNamespacesOp: self._list_namespaces,
        }

    def batch(self, ops: Iterable[langgraph.Op]) -> list[langgraph.Result]:
        """Do operations in their order.

        Raises:
            ValueError: an item is put into a namespace that is too short.
            RefusedName: the namespace has an invalid name.
        """
        return [self._do[type(op)](op) for op in ops]

    async def abatch(self, ops: Iterable[langgraph.Op]) -> list[langgraph.Result]:
        """Do operations as :meth:`batch`, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _get(self, op: langgraph.GetOp) -> langgraph.Item | None:
        found = _items(self._person(op.namespace)).get((op.namespace, op.key))
        return found and found[0]

    def _put(self, op: langgraph.PutOp) -> None:
        person = self._person(op.namespace)
        if person is None:
            msg = f"part {self._person_at} of the namespace {op.namespace} must name a person"
            raise ValueError(msg)
        _, turns = _items(person).get((op.namespace, op.key), (None, ()))
        old = [turn.id for turn in turns]
        if op.value is not None:
            entry = {"namespace": list(op.namespace), "key": op.key, "value": op.value}
            kept = {ENTRY: entry | {"search": op.index is not False}}
            person.add(_words(op), replied_by=ENTRY, metadata=kept)
            if old:
                person.forget(*old)
        elif old:
            person.erase(*old)

    def _search(self, op: langgraph.SearchOp) -> list[langgraph.SearchItem]:
        prefix, last = op.namespace_prefix, op.offset + op.limit
        person = self._person(prefix)
        items = [(item, turns[-1]) for item, turns in _items(person).values() if _fits(item, op)]
        if not op.query or not items or person is None:
            found = sorted((item for item, _ in items), key=lambda item: item.updated_at)[::-1]
            return found[op.offset : last]
        indexed = {turn.id: item for item, turn in items if turn.metadata[ENTRY]["search"]}
        found = []
        for recalled in person.recall(op.query, top=last * WIDER, reinforce=True).memories:
            if indexed_item := indexed.get(recalled.memory.id):
                indexed_item.score = recalled.likelihood
                found.append(indexed_item)
        return found[op.offset : last]

    def _list_namespaces(self, op: langgraph.ListNamespacesOp) -> langgraph.Result:
        namespaces = InMemoryStore()
        for scope in self._bank.people():
            if scope.companion == self._bank.settings.companion:
                for namespace, _key in _items(self._bank.person(scope.person)):
                    namespaces.put(namespace, "", {})
        return namespaces.batch([op])[0]

    def _person(self, namespace: Sequence[str]) -> Person | None:
        """Return the person a namespace names; None where it is too short."""
        named = namespace[self._person_at : self._person_at + 1]
        return self._bank.person(named[0]) if named else None


def _items(person: Person | None) -> Items:
    """Return the items of a person, each with the turns of all its values, oldest first."""
    items: Items = {}
    for turn in person.turns() if person is not None and person.is_known() else ():
        kept = turn.metadata.get(ENTRY)
        if isinstance(kept, Mapping) and not turn.unkept:
            place, made = (tuple(kept["namespace"]), str(kept["key"])), turn.trace.created
            before, turns = items.get(place, (None, []))
            first = made if before is None else before.created_at
            item = langgraph.SearchItem(*place, dict(kept["value"]), first, made)
            items[place] = item, [*turns, turn]
    return items


def _words(op: langgraph.PutOp) -> str:
    """Return the text an item is indexed by: the fields to index, else its text, else all of it."""
    assert op.value is not None
    fields = op.index if isinstance(op.index, list) else TEXT_FIELDS
    texts = [words for field in fields for words in langgraph.get_text_at_path(op.value, field)]
    texts = texts if isinstance(op.index, list) else texts[:1]
    return "\n".join(texts).strip() or json.dumps(op.value, ensure_ascii=False)


def _fits(item: langgraph.SearchItem, op: langgraph.SearchOp) -> bool:
    """Return True if an item is below the namespace and matches the filter, as LangGraph compares."""
    alone = InMemoryStore()
    alone.put(item.namespace, item.key, item.value)
    with suppress(TypeError):  # the value lacks the field, or is of another kind
        return bool(alone.search(op.namespace_prefix, filter=op.filter))
    return False

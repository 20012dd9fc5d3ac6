"""The tool ``retrieve_memory``: the live conversation, and what is recalled from before it.

Pages and knowledge are retrieved in two ways, by recall as in a chat of our own and by topics
as MemoryOS finds them, and interleaved, so that neither buries the other and there is an
answer before any topic was formed. What is relevant by itself enters another program's prompt
and so counts as recalled; otherwise whoever talks through such a program would see all their
memories fade. What only came along with it does not. The companion's own story stands among
what is known of it; that needs no reinforcing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, zip_longest
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from siliconfriend.dialogue.chat_history import Exchange, live_turns, to_utterances
from siliconfriend.errors import UsageError
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.models.output import clean
from siliconfriend.recall.cue import Utterance
from siliconfriend.service.arguments import RetrieveMemory
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.knowledge import serialize
from siliconfriend.service.timestamps import format_timestamp, turn_timestamp
from siliconfriend.topics import retrieval as topics
from siliconfriend.topics.knowledge import knowledge_owner

WIDER = 4
"""So many times more memories are recalled than pages are wanted, since summaries and insights
are among them."""

Record = TypeVar("Record", Turn, Fact, Fact | Event)


@dataclass(frozen=True, slots=True)
class _Retrieved:
    """What the tool answers with, each list best first."""

    pages: list[Turn]
    user_knowledge: list[Fact]
    assistant_knowledge: list[Fact]


def retrieve_memory(context: ServiceContext, arguments: RetrieveMemory) -> dict[str, Any]:
    """Answer with what is relevant to the question; nothing for a user not met yet.

    Raises:
        UsageError: nothing is arguments.
        StoreError: the memory cannot be read or written.
        ModelUnavailable: the embedder cannot be had.
    """
    query = clean(arguments.query).strip()
    if not query:
        raise UsageError("service_nothing_asked")
    memory = context.memory()
    zone, now = memory.profile.zone, context.now(memory)
    live = live_turns(memory.kept(), now)
    talk = to_utterances([Exchange(it.query, it.response, it.id) for it in live])
    found = _retrieve(context, memory, query, talk, {it.id for it in live}, arguments.max_results)
    story = _own_story(context, memory, query, talk, arguments.max_results)
    of_companion = _interleave(found.assistant_knowledge, story)[: arguments.max_results]
    overviews = _overviews(memory)
    return {
        "status": "success",
        "query": query,
        "timestamp": format_timestamp(now, zone),
        "relationship_with_user": arguments.relationship_with_user,
        "style_hint": arguments.style_hint,
        "short_term_memory": [_exchange(turn, zone) for turn in live],
        "retrieved_pages": [
            {**_exchange(turn, zone), "meta_info": overviews.get(turn.id, "")}
            for turn in found.pages
        ],
        "retrieved_user_knowledge": serialize(found.user_knowledge),
        "retrieved_assistant_knowledge": serialize(of_companion),
        "total_pages_found": len(found.pages),
        "total_user_knowledge_found": len(found.user_knowledge),
        "total_assistant_knowledge_found": len(of_companion),
    }


def _retrieve(
    context: ServiceContext,
    memory: PersonMemory,
    query: str,
    talk: Sequence[Utterance],
    spoken: Collection[str],
    most: int,
) -> _Retrieved:
    """Retrieve at most ``most`` of each sort from before the live conversation, and reinforce them."""
    scope, now = context.scope, context.now(memory)
    if not context.store.exists(scope):
        return _Retrieved([], [], [])
    recaller = context.recaller
    name = companion_name(context.settings, scope.companion, memory.profile.language)
    recalled = recaller.recall(
        scope,
        query,
        now=now,
        top=most * WIDER,
        talk=talk,
        exclude=spoken,
        companion_name=name,
    )
    by_topic = topics.retrieve(recaller, scope, query, now=now, exclude=spoken)
    turns = [it.memory for it in recalled.memories if isinstance(it.memory, Turn)]
    facts = [it.memory for it in recalled.facts if isinstance(it.memory, Fact)]
    shared = _shared(context, query, talk, now, most * WIDER, name)
    found = _Retrieved(
        _interleave(turns, by_topic.pages, shared.pages)[:most],
        _interleave(_owned_by(facts, "user"), by_topic.user_knowledge, shared.user_knowledge)[
            :most
        ],
        _interleave(_owned_by(facts, "assistant"), by_topic.assistant_knowledge)[:most],
    )
    context.last_recalled = tuple(found.pages)
    records: list[Turn | Fact] = [*found.pages, *found.user_knowledge, *found.assistant_knowledge]
    given = {it.id for it in records}
    recaller.reinforce(
        scope,
        replace(
            recalled,
            memories=tuple(it for it in recalled.memories if it.memory.id in given),
            facts=tuple(it for it in recalled.facts if it.memory.id in given),
        ),
        now=now,
    )
    return found


def _shared(
    context: ServiceContext,
    query: str,
    talk: Sequence[Utterance],
    now: datetime,
    top: int,
    name: str,
) -> _Retrieved:
    """Recall what the user told companions that share it, without reinforcing any of it."""
    lore, shared = context.lore, _Retrieved([], [], [])
    for other in lore.shares if lore else ():
        scope = Scope.of(context.scope.person, other)
        if context.store.exists(scope):
            found = context.recaller.recall(
                scope, query, now=now, top=top, talk=talk, companion_name=name
            )
            facts = [it.memory for it in found.facts if isinstance(it.memory, Fact)]
            shared.pages.extend(it.memory for it in found.memories if isinstance(it.memory, Turn))
            shared.user_knowledge.extend(_owned_by(facts, "user"))
    return shared


def _own_story(
    context: ServiceContext,
    memory: PersonMemory,
    query: str,
    talk: Sequence[Utterance],
    most: int,
) -> list[Fact | Event]:
    """Recall entries of the companion's lore for the question, facts first."""
    lore = context.lore
    if lore is None:
        return []
    now, language = context.now(memory), memory.profile.language
    found = lore.recall(
        query,
        now=now,
        talk=talk,
        top=most,
        top_facts=most,
        language=language,
        person=context.scope.person,
    )
    recalled = (it.memory for it in (*found.facts, *found.memories))
    return [it for it in recalled if isinstance(it, Fact | Event)][: 2 * most]


def _interleave(*lists: Iterable[Record]) -> list[Record]:
    """Interleave the lists, the first one's first; a record of several stands at its best place."""
    every = chain.from_iterable(zip_longest(*lists))
    return list({it.id: it for it in every if it is not None}.values())


def _owned_by(facts: Iterable[Fact], owner: str) -> list[Fact]:
    return [it for it in facts if knowledge_owner(it) == owner]


def _overviews(memory: PersonMemory) -> Mapping[str, str]:
    """The overview of the conversation that a page belongs to, by the page's id."""
    talks = chain.from_iterable(topic.talks for topic in memory.topics())
    return {page: talk.overview for talk in talks for page in talk.pages}


def _exchange(turn: Turn, zone: ZoneInfo) -> dict[str, Any]:
    exchange: dict[str, Any] = {
        "user_input": turn.query,
        "agent_response": turn.response,
        "timestamp": turn_timestamp(turn, zone),
    }
    return {**exchange, "meta_data": dict(turn.metadata)} if turn.metadata else exchange

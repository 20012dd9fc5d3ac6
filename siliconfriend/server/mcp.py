"""The memory as tools for other programs, over the Model Context Protocol (MCP).

Seven tools by the SDK's own server, over standard input and output for one person, or over HTTP
behind the keys of the API. An error is an answer with ``isError``, in the person's language; it
never ends the server.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Annotated, Any, Literal, cast
from zoneinfo import ZoneInfo

import anyio
from anyio.streams.stapled import StapledObjectStream
from mcp import types
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import ToolAnnotations
from pydantic import Field

from siliconfriend import __version__
from siliconfriend.clock import format_timestamp
from siliconfriend.control.listing import MemoryRow
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.extraction.topics import knowledge_owner
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.texts import Language, text

MOST_KNOWN = 100
"""Facts of each sort in a profile, newest first."""
MOST_TOPICS = 20
"""Topics in a profile, hottest first."""
LONGEST_WAIT = 60.0
"""Seconds after the end of the input in which calls are still answered."""
ToolAction = Literal["forget", "pin", "unpin"]
Count = Annotated[int, Field(ge=1, le=100, description="At most so many.")]
ToolMemoryId = Annotated[str, Field(description="The memory's id, as search_memories gives it.")]


class MemoryTools:
    """The seven tools on the memory of the request's person; thread-safe."""

    def __init__(self, find: Callable[[], Person], language: Language = "en") -> None:
        self._find = find  # returns the person of the current request
        self.language: Language = language  # used if no person matches
        # The result of the last retrieval; the next exchange answers it and may repeat its words.
        self._recalled: dict[Scope, tuple[Memory, ...]] = {}

    def add_memory(
        self,
        user_input: Annotated[str, Field(description="The person's words, as they said them.")],
        agent_response: Annotated[str, Field(description="Your answer, as you gave it.")],
        timestamp: Annotated[
            str | None, Field(description="When, ISO 8601 in the person's time zone; now without.")
        ] = None,
        meta_data: Annotated[
            dict[str, Any] | None, Field(description="A JSON object to keep with it.")
        ] = None,
    ) -> dict[str, Any]:
        """Remember one exchange, durably: what the person said and what you answered."""
        with self._call() as person:
            if not user_input.strip() or not agent_response.strip():
                raise UsageError("service_nothing_said")
            kept = person.add(
                user_input,
                agent_response,
                at=timestamp,
                replied_by="mcp",
                metadata=meta_data,
                recalled=self._recalled.pop(person.scope, ()),
            )
            key = ("added", "not_kept", "not_kept_before")[len(kept.unkept)]
            words = text("server", f"mcp.{key}", person.language)
            return _success(
                message=person.help_for(user_input) + words,
                timestamp=_exchange(kept.turn, person.zone)["timestamp"],
                memory_id=kept.turn.id,
            )

    def retrieve_memory(
        self,
        query: Annotated[str, Field(description="Their message or your question; may name days.")],
        relationship_with_user: Annotated[
            str, Field(description="What you are to the person, such as friend; given back.")
        ] = "friend",
        style_hint: Annotated[
            str, Field(description="How the answer is to sound; given back.")
        ] = "",
        max_results: Count = 10,
    ) -> dict[str, Any]:
        """Remember what matters to a question, best first; it counts as recalled, fading slower.

        Gives the conversation that goes on (short_term_memory), exchanges from before it
        (retrieved_pages), and what is known of the person (retrieved_user_knowledge) and of
        yourself (retrieved_assistant_knowledge).
        """
        with self._call() as person:
            if not query.strip():
                raise UsageError("service_nothing_asked")
            pages, facts = list[Turn](), list[Memory]()
            live, zone, overviews = person.conversation(), person.zone, dict[str, str]()
            if person.is_known():
                spoken = {turn.id for turn in live}
                found = person.recall(query, top=max_results + len(spoken), reinforce=True)
                records = (recalled.memory for recalled in found.memories)
                pages = [row for row in records if isinstance(row, Turn) and row.id not in spoken]
                pages = pages[:max_results]
                facts = [recalled.memory for recalled in found.facts]
                # The conversation that a page belongs to, by the page's id.
                talks = (talk for topic in person.memory().topics() for talk in topic.talks)
                overviews = {page: talk.overview for talk in talks for page in talk.pages}
                self._recalled[person.scope] = tuple(pages)
            about_user = _knowledge(_of("user", facts))[:max_results]
            told = [*_of("assistant", facts), *person.own_story(query, top=max_results)]
            about_self = _knowledge(told)[:max_results]
            return _success(
                query=query,
                timestamp=format_timestamp(person.now(), zone),
                relationship_with_user=relationship_with_user,
                style_hint=style_hint,
                short_term_memory=[_exchange(turn, zone) for turn in live],
                retrieved_pages=[
                    {**_exchange(turn, zone), "meta_info": overviews.get(turn.id, "")}
                    for turn in pages
                ],
                retrieved_user_knowledge=about_user,
                retrieved_assistant_knowledge=about_self,
                total_pages_found=len(pages),
                total_user_knowledge_found=len(about_user),
                total_assistant_knowledge_found=len(about_self),
            )

    def get_user_profile(
        self,
        include_knowledge: Annotated[
            bool, Field(description="With what is known of the person.")
        ] = True,
        include_assistant_knowledge: Annotated[
            bool, Field(description="With what you said of yourself, promised and recommended.")
        ] = False,
    ) -> dict[str, Any]:
        """Who the person is: their portrait, and what is known. Looking changes nothing."""
        with self._call() as person:
            is_known = person.is_known()
            facts, parts = (person.facts(), person.portrait()) if is_known else ((), {})
            about = parts.get("overall_personality")
            known = dict[str, list[dict[str, str]]]()
            if include_knowledge:
                known["user_knowledge"] = _knowledge(_of("user", facts)[:MOST_KNOWN])
            if include_assistant_knowledge:
                told = [*_of("assistant", facts), *person.own_story()]
                known["assistant_knowledge"] = _knowledge(told[:MOST_KNOWN])
            topics = [row.to_json() for row in person.list(kind="topic")] if is_known else []
            topics.sort(key=lambda row: -row["heat"])
            return _success(
                timestamp=format_timestamp(person.now(), person.zone),
                user_id=person.scope.person,
                assistant_id=person.scope.companion,
                user_profile=about.text if about else "",
                **known,
                **{f"{name}_count": len(entries) for name, entries in known.items()},
                topics=[
                    {"topic": row["text"], "visits": row["visits"], "heat": row["heat"]}
                    for row in topics[:MOST_TOPICS]
                ],
            )

    def search_memories(
        self,
        query: Annotated[str, Field(description="What to look for; empty for everything.")] = "",
        kind: Annotated[
            Literal["turn", "day", "event", "fact", "insight", "topic"] | None,
            Field(description="Only of this kind."),
        ] = None,
        max_results: Count = 20,
    ) -> dict[str, Any]:
        """Find single memories with their ids, best first; without a query all, oldest first.

        `likely` is false of those that may not be what is meant.
        """
        with self._call() as person:
            rows = person.search(query, kind=kind) if person.is_known() else ()
            return _success(
                query=query,
                memories=[_described(row) for row in rows[:max_results]],
                total_found=len(rows),
            )

    def forget_memory(self, memory_id: ToolMemoryId) -> dict[str, Any]:
        """Put one memory away because the person wishes it; they can restore it, or erase it."""
        return self._act(memory_id, "forget", "forgotten")

    def pin_memory(
        self,
        memory_id: ToolMemoryId,
        pinned: Annotated[bool, Field(description="False lets it fade again.")] = True,
    ) -> dict[str, Any]:
        """Keep one memory from ever fading because the person wishes it, or let it fade again."""
        return self._act(memory_id, *(("pin", "pinned") if pinned else ("unpin", "unpinned")))

    def change_scene(self) -> dict[str, Any]:
        """End the conversation, when the person leaves or turns to something else for good."""
        with self._call() as person:
            left = person.change_scene()
            message = text("server", "mcp.scene_changed", person.language, count=left)
            return _success(message=message, exchanges=left)

    def _act(self, memory_id: str, action: ToolAction, key: str) -> dict[str, Any]:
        with self._call() as person:
            if not person.is_known():
                raise UsageError("memory_unknown", id=memory_id)
            person.act(action, memory_id)
            (row,) = person.rows(memory_id)
            message = text("server", f"mcp.{key}", person.language)
            return _success(message=message, memory=_described(row))

    @contextmanager
    def _call(self) -> Iterator[Person]:
        """Find the person of a call; raise errors as tool errors in their language."""
        language = self.language
        try:
            person = self._find()
            language = person.language
            yield person
        except SiliconFriendError as error:
            message = error.message(language)
            if error.key == "memory_unknown":  # its usual sentence names a terminal command
                message = text("server", "mcp.memory_unknown", language, **error.details)
            raise ToolError(message) from error


def build_server(tools: MemoryTools) -> MCPServer[Any]:
    """Build the MCP server over the tools."""
    looking: list[Callable[..., Any]] = [tools.get_user_profile, tools.search_memories]
    changing: list[Callable[..., Any]] = [tools.add_memory, tools.retrieve_memory]
    changing += [tools.forget_memory, tools.pin_memory, tools.change_scene]
    return MCPServer(
        "siliconfriend",
        version=__version__,
        instructions=text("server", "mcp.instructions", tools.language),
        log_level="ERROR",
        tools=[_tool(tool, tool in looking) for tool in (*looking, *changing)],
    )


def _tool(function: Callable[..., Any], is_read: bool) -> Tool:
    """Make a tool that rejects unknown arguments by name."""
    hints = ToolAnnotations(read_only_hint=is_read, destructive_hint=False, open_world_hint=False)
    tool = Tool.from_function(function, annotations=hints)
    arguments = tool.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema(by_alias=True)
    return tool


def serve_stdio(bank: MemoryBank) -> None:
    """Answer calls over standard input and output until the input ends; running calls are done.

    The person and the companion are those of the settings.
    """
    try:
        anyio.run(_run_stdio, build_server(MemoryTools(bank.person, bank.settings.language)))
    except* BrokenPipeError:
        pass  # the client has left
    bank.close()


async def _run_stdio(server: MCPServer[Any]) -> None:
    inner, transport = server._lowlevel_server, cast(Any, stdio_server())
    async with transport as (requests, responses), anyio.create_task_group() as group:
        client = _Client(requests, responses)
        group.start_soon(client.leave)
        await inner.run(client, client, inner.create_initialization_options())
        group.cancel_scope.cancel()


class _Client(StapledObjectStream[Any]):
    """The two streams of a client; they end after all running calls are answered.

    The SDK cancels running calls at the end of its input, so a script that pipes its calls in
    would not learn whether they were stored.
    """

    def __init__(self, requests: Any, responses: Any) -> None:
        super().__init__(responses, requests)
        self._unanswered = set[Any]()

    async def receive(self) -> Any:
        try:
            message = await super().receive()
        except anyio.EndOfStream:
            await self.wait()
            raise
        match getattr(message, "message", None):
            case types.JSONRPCRequest(id=request):
                self._unanswered.add(request)
            case types.JSONRPCNotification(
                method="notifications/cancelled", params={"requestId": request}
            ):
                self._unanswered.discard(request)  # it is never answered
        return message

    async def send(self, item: SessionMessage) -> None:
        await super().send(item)
        if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
            self._unanswered.discard(item.message.id)

    async def wait(self) -> None:
        with anyio.move_on_after(LONGEST_WAIT):
            while self._unanswered:
                await anyio.sleep(0.01)

    async def leave(self) -> None:
        with (
            suppress(NotImplementedError),  # on Windows, where Ctrl-C ends it at once
            anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals,
        ):
            async for number in signals:
                await self.wait()
                os._exit(128 + number)  # a thread that reads input can neither be woken nor joined


def _success(**fields: Any) -> dict[str, Any]:
    return {"status": "success", **fields}


def _exchange(turn: Turn, zone: ZoneInfo) -> dict[str, Any]:
    when = turn.date if turn.time is None else format_timestamp(turn.time, zone)
    exchange = {"user_input": turn.query, "agent_response": turn.response, "timestamp": when}
    return {**exchange, "meta_data": dict(turn.metadata)} if turn.metadata else exchange


def _of(owner: str, facts: Sequence[Memory]) -> list[Fact]:
    return [fact for fact in facts if isinstance(fact, Fact) and knowledge_owner(fact) == owner]


def _knowledge(entries: Sequence[Fact | Event]) -> list[dict[str, str]]:
    return [
        {"knowledge": entry.text, "timestamp": getattr(entry, "last", "") or entry.date}
        for entry in entries
    ]


def _described(memory: MemoryRow) -> dict[str, Any]:
    row, names = memory.to_json(), ("kind", "date", "text", "state", "pinned", "likely")
    return {"memory_id": row["id"], **{name: row[name] for name in names}}

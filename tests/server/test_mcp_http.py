"""MCP over streamable HTTP, by the protocol's own client: the same tools behind the same keys."""

from collections.abc import Callable
from typing import Any

import httpx
import httpx2
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.mcpserver.exceptions import ToolError

from siliconfriend.memory.changes import PutDerived
from siliconfriend.server.mcp import MemoryTools
from tests.memory.stored import put
from tests.seeds.topic_people import a_topic
from tests.server.mcp_talking import Talking
from tests.server.serving import OPERATOR, Server

Talk = Callable[[Talking], Any]


def talk(server: Server, key: str, told: Talk, query: str = "") -> Any:
    """Connect with a key, talk, and return what came of it."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"})
        ) as http,
        portal.wrap_async_context_manager(
            Client(streamable_http_client(f"{server.url}/mcp{query}", http_client=http))
        ) as client,
    ):
        return told(Talking(portal, client))


def test_a_person_remembers_and_asks(server: Server) -> None:
    """All tools over HTTP, over one person's memory."""

    def told(call: Talking) -> Any:
        call("add_memory", user_input="I planted beans by the wall.", agent_response="Good.")
        (found,) = call("search_memories", query="beans")["memories"]
        pinned = call("pin_memory", memory_id=found["memory_id"])
        assert pinned["memory"]["text"] == "I planted beans by the wall.\nGood."
        (again,) = call("search_memories", query="beans", kind="turn")["memories"]
        assert (again["state"], again["pinned"]) == ("vivid", True)
        assert call("change_scene")["exchanges"] == 1
        assert call("retrieve_memory", query="What did I plant?")["status"] == "success"
        call("pin_memory", memory_id=found["memory_id"], pinned=False)
        assert call("forget_memory", memory_id=found["memory_id"])["status"] == "success"
        return call("search_memories")["memories"]

    (left,) = talk(server, server.keys.make_for("Ada"), told)
    assert left["state"] == "forgotten"


def test_a_key_reaches_its_own_person_alone(server: Server) -> None:
    """Neither by words nor by ids, nor by naming the other in the address."""
    ada, bob = server.keys.make_for("Ada"), server.keys.make_for("Bob")
    talk(
        server,
        ada,
        lambda call: call("add_memory", user_input="The code is marmalade.", agent_response="Mm."),
    )
    (hers,) = talk(server, ada, lambda call: call("search_memories"))["memories"]

    def pry(call: Talking) -> None:
        call("add_memory", user_input="Hello.", agent_response="Hello.")
        assert call("search_memories", query="marmalade")["memories"] == []
        assert call.raw("forget_memory", memory_id=hers["memory_id"]).is_error
        assert "marmalade" not in str(call("retrieve_memory", query="What is the code?"))

    talk(server, bob, pry)
    headers = {"Authorization": f"Bearer {bob}"}
    assert httpx.post(f"{server.url}/mcp?user=Ada", json={}, headers=headers).status_code == 404


def test_the_operator_names_whom_a_call_is_for(server: Server) -> None:
    """By ``?user=``; without it, and for a name that cannot be one, nothing is answered."""

    def add(call: Talking) -> Any:
        return call("add_memory", user_input="Hello.", agent_response="Hi.")["status"]

    assert talk(server, OPERATOR, add, "?user=Ada") == "success"
    headers = {"Authorization": f"Bearer {OPERATOR}", "Accept": "application/json"}
    for query in ("", "?user=../x", "?user=Ada&compagnon=Pebble"):
        answer = httpx.post(f"{server.url}/mcp{query}", json={}, headers=headers)
        assert answer.status_code == 422


def test_a_profile_names_the_hottest_topics(server: Server) -> None:
    """By visits and what was said of them lately, with the numbers."""
    person = server.bank.person("Nora")
    turn = person.add("I planted beans.").turn
    topics = (
        a_topic("beans", [turn.id], visits=1),
        a_topic("trains", [], position=1, visits=3, last_visit=None),
    )
    put(server.runtime.store, person.scope, *map(PutDerived, topics))
    found = MemoryTools(lambda: person).get_user_profile()["topics"]
    assert [(each["topic"], each["visits"]) for each in found] == [("trains", 3), ("beans", 1)]
    assert found[0]["heat"] == 4.0
    assert found[1]["heat"] >= 2.0


def test_an_argument_that_a_tool_does_not_have_is_refused(server: Server) -> None:
    """By its name, and nothing is kept: it may have asked for that."""

    def add(call: Talking) -> Any:
        assert call.tools()["add_memory"].input_schema["additionalProperties"] is False
        said = {"user_input": "A secret.", "agent_response": "Mm.", "off_record": True}
        return call.raw("add_memory", **said)

    answer = talk(server, server.keys.make_for("Ada"), add)
    assert answer.is_error
    assert "off_record" in str(answer.content)
    assert not server.bank.person("Ada").is_known()


def test_a_refusal_names_tools_and_no_command_of_the_terminal(server: Server) -> None:
    """Also of somebody of whom nothing is remembered yet."""
    tools = MemoryTools(lambda: server.bank.person("Nora"))
    for act in (tools.forget_memory, tools.pin_memory):
        with pytest.raises(ToolError, match="Call search_memories for the ids"):
            act("turn-1")

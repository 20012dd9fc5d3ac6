"""The protocol's own client, connected to a real server."""

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.server.serving import Server

ROOT = Path(__file__).parents[2]
NOW = "2026-03-14T09:00"
COMMAND = [sys.executable, "-m", "siliconfriend", "--now", NOW, "mcp"]


def environment(home: Path, **environ: str) -> dict[str, str]:
    """Return the environment of a server that ranks by words alone, in UTC."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("SILICON")},
        "SILICONFRIEND_HOME": str(home),
        "SILICONFRIEND_EMBEDDING": "none",
        "SILICONFRIEND_TIMEZONE": "UTC",
        **environ,
    }


async def call(client: Client, name: str, **given: Any) -> dict[str, Any]:
    """Call a tool and return its answer, whose text and structure must say the same."""
    result = await client.call_tool(name, given)
    (content,) = result.content
    answer: dict[str, Any] = json.loads(getattr(content, "text", ""))
    assert answer == result.structured_content
    return answer


@asynccontextmanager
async def over_stdio(home: Path, *words: str, **environ: str) -> AsyncIterator[Client]:
    """Start ``siliconfriend mcp`` with these words and connect to it."""
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], *words], env=environment(home, **environ), cwd=ROOT
    )
    with home.with_suffix(".log").open("a", encoding="utf-8") as errors:
        async with Client(stdio_client(server, errors)) as client:
            yield client


@asynccontextmanager
async def over_http(server: Server, key: str, query: str = "") -> AsyncIterator[Client]:
    """Connect to a server with a key."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as http,
        Client(streamable_http_client(f"{server.url}/mcp{query}", http_client=http)) as client,
    ):
        yield client

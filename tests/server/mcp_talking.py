"""A client of the protocol's own SDK, talking with the real server in a process of its own."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, Tool

ROOT = Path(__file__).parents[2]
NOW = "2026-03-14T09:00"
SERVER = [sys.executable, "-m", "siliconfriend", "--now", NOW, "mcp"]


def surroundings(home: Path, **environ: str) -> dict[str, str]:
    """The variables of a server that ranks by words alone, in UTC."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("SILICON")},
        "SILICONFRIEND_HOME": str(home),
        "SILICONFRIEND_EMBEDDING": "none",
        "SILICONFRIEND_TIMEZONE": "UTC",
        **environ,
    }


class Talking:
    """A client that is connected; its calls block."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client

    def tools(self) -> dict[str, Tool]:
        """The tools of the server by name."""
        return {tool.name: tool for tool in self._portal.call(self._client.list_tools).tools}

    def raw(self, name: str, **given: Any) -> CallToolResult:
        """The result of a call as the SDK gives it."""
        result: CallToolResult = self._portal.call(self._client.call_tool, name, given)
        return result

    def __call__(self, name: str, **given: Any) -> dict[str, Any]:
        """The answer of a tool; its text and its structure must say the same."""
        result = self.raw(name, **given)
        (content,) = result.content
        answer = json.loads(getattr(content, "text", ""))
        assert answer == result.structured_content
        assert isinstance(answer, dict)
        return answer


@contextmanager
def talking(home: Path, *words: str, log: Path | None = None, **environ: str) -> Iterator[Talking]:
    """Start ``siliconfriend mcp`` with these words and talk with it."""
    server = StdioServerParameters(
        command=SERVER[0], args=[*SERVER[1:], *words], env=surroundings(home, **environ), cwd=ROOT
    )
    with (
        (log or home.with_suffix(".log")).open("a", encoding="utf-8") as errors,
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(stdio_client(server, errors))) as client,
    ):
        yield Talking(portal, client)

"""A request that cannot be read is answered with an error, and the next one as ever."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from mcp.types import JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.service.unreadable_requests import answer_unreadable
from tests.service.talking import ROOT, SERVER, surroundings

CALL = (
    '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"add_memory","arguments":%s}}'
)
HALF = '{"user_input":"a\\ud83d","agent_response":"b"}'
NESTED = f'{{"user_input":"a","meta_data":{{"x":{"[" * 250}{"]" * 250}}}}}'


def _answer(line: str) -> JSONRPCError | None:
    with pytest.raises(ValidationError) as refused:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    answer = answer_unreadable(refused.value)
    if answer is None:
        return None
    assert isinstance(answer.message, JSONRPCError)
    return answer.message


@pytest.mark.parametrize(
    ("line", "identifier", "code"),
    [
        (CALL % (7, HALF), 7, -32600),
        (CALL % ('"seven"', NESTED), "seven", -32600),
        (CALL % (7, "[" * 5000), None, -32700),
        ('{"id": 7, "jsonrpc"', 7, -32700),
        ("no JSON", None, -32700),
        ('{"id": 07, "jsonrpc"', None, -32700),
        ('{"id": "a\nb", "jsonrpc"', None, -32700),
        (r'{"id": "\x", "jsonrpc"', None, -32700),
        ("[1, 2]", None, -32600),
    ],
)
def test_each_is_answered_under_its_id(line: str, identifier: int | str | None, code: int) -> None:
    """Where the id can be made out; else under none."""
    answer = _answer(line)
    assert answer is not None
    if "[[[[" not in line or identifier is not None:
        assert answer.id == identifier
    assert answer.error.code == code


def test_a_notification_and_a_fault_of_the_line_are_not_answered() -> None:
    """Nobody waits for them."""
    assert _answer('{"jsonrpc":"2.0","method":"x\\ud83d"}') is None
    assert answer_unreadable(OSError("gone")) is None


@pytest.mark.slow
def test_a_client_over_standard_input_hears_of_each(home: Path) -> None:
    """Half a character, 250 lists in one another and no JSON; then a call that is well.

    The end of the input ends it, when every answer is given and nothing else.
    """
    lines = [
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        '"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        *(CALL % (2, HALF), CALL % (3, NESTED), "no JSON"),
        CALL % (5, '{"user_input":"ok","agent_response":"fine"}'),
    ]
    done = subprocess.run(
        [*SERVER, "--user", "Ada"],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=surroundings(home),
        timeout=120,
        check=True,
    )
    answers = {it["id"]: it for it in map(json.loads, done.stdout.splitlines())}
    assert set(answers) == {1, 2, 3, None, 5}
    assert all("error" in answers[it] for it in (2, 3, None))
    assert answers[5]["result"]["structuredContent"]["status"] == "success"
    assert {it["jsonrpc"] for it in answers.values()} == {"2.0"}
    assert [turn.query for turn in FileStore(home).load(Scope.of("Ada")).turns()] == ["ok"]

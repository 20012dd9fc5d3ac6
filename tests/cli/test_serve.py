"""``serve`` and ``users key`` as they are started: what is printed, and what is refused."""

from __future__ import annotations

import re
import signal
import socket
import time
from importlib import util
from pathlib import Path

import httpx
import pytest

from siliconfriend.installation.accounts import Caller
from siliconfriend.installation.installation import installation_in
from tests.cli.conftest import Run
from tests.server.serving import serving_process


@pytest.mark.slow
def test_the_operator_s_key_is_printed_at_the_first_start_alone(home: Path) -> None:
    """It lets in; the second start prints none and lets the same key in."""
    with serving_process(home) as (url, printed, process):
        (key,) = re.findall(r"^sf-\S+$", printed, re.MULTILINE)
        assert httpx.get(f"{url}/v1/people", trust_env=False).status_code == 401
    assert process.returncode in (0, -signal.SIGTERM)
    with serving_process(home) as (url, printed, _):
        assert "sf-" not in printed
        headers = {"Authorization": f"Bearer {key}"}
        assert httpx.get(f"{url}/v1/people", headers=headers, trust_env=False).json()["users"] == []


@pytest.mark.slow
def test_an_answer_is_sent_without_waiting_for_an_acknowledgement(home: Path) -> None:
    """Else each one behind the first of a connection comes 40 ms late: header and body are two writes."""
    seconds = []
    with serving_process(home, "--no-keys") as (url, _, _), httpx.Client(trust_env=False) as client:
        for _ in range(24):
            began = time.perf_counter()
            assert client.get(f"{url}/v1/people").json()["users"] == []
            seconds.append(time.perf_counter() - began)
    assert sorted(seconds)[6] < 0.03


def test_without_keys_only_this_machine_isserving_process(run: Run, home: Path) -> None:
    """The refusal is exit code 3, and nothing is opened."""
    refused = run("serve", "--no-keys", "--host", "0.0.0.0")
    assert (refused.code, refused.out) == (3, "")
    assert "--no-keys" in refused.err
    assert not (home / "installation.sqlite").exists()


def test_a_person_s_key_is_shown_once_on_standard_output(run: Run, home: Path) -> None:
    """Alone on standard output, so that a script can take it; its hash is what is kept."""
    made = run("users", "key", " Ada ")
    key = made.out.strip()
    assert installation_in(home).keys.identify(key) == Caller("Ada")
    assert "Ada" in made.err
    assert run("users", "key", "Ada", "--name", "phone", "--days", "9").code == 0
    assert "phone" in run("users", "keys", "Ada").out
    assert run("users", "key", "Ada", "--name", "phone", "--remove").code == 0
    assert installation_in(home).keys.identify(key) == Caller("Ada")
    assert run("users", "key", "Ada", "--remove").code == 0
    assert installation_in(home).keys.identify(key) is None
    assert run("users", "key", "Ada", "--remove").code == 2
    assert run("users", "key", "a/b").code == 2


def test_without_the_extra_it_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain installation has no server; the command names the package and touches nothing."""
    found = util.find_spec
    monkeypatch.setattr(
        util, "find_spec", lambda name, *rest: None if name == "mcp" else found(name, *rest)
    )
    outcome = run("mcp", "--user", "Ada")
    assert (outcome.code, outcome.out) == (3, "")
    assert "pip install 'siliconfriend[mcp]'" in outcome.err


@pytest.mark.parametrize("words", [("web",), ("serve",), ("mcp", "--http"), ("mcp",)])
def test_no_server_begins_a_companion_that_nobody_knows(run: Run, words: tuple[str, ...]) -> None:
    """It is refused, with those there are, before a key is made or anything listens."""
    assert run("companion", "create", "Pebble", "--json").code == 0
    refused = run(*words, "--companion", "Nope", said="")
    assert (refused.code, refused.out, "sf-" in refused.err) == (2, "", False)
    assert "default, Pebble" in refused.err


@pytest.mark.parametrize(("llm", "is_read"), [("ollama", True), ("gguf:none.gguf", False)])
def test_mcp_says_which_model_reads(
    run: Run, monkeypatch: pytest.MonkeyPatch, llm: str, is_read: bool
) -> None:
    """A model file does not: the client's own model would wait for it."""
    monkeypatch.setenv("SILICONFRIEND_LLM", llm)
    served = run("mcp", "--user", "Ada", said="")
    assert (served.code, f"is read by {llm}:" in served.err) == (0, is_read)


@pytest.mark.slow
def test_a_port_that_is_taken_is_told(process: Run) -> None:
    """Who already has a page open there learns which port to change."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = process("web", "--port", port)
    assert (done.code, done.out) == (3, "")
    assert port in done.err

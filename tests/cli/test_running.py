"""`nightly`, `worker`, `greet`, `serve` and `mcp`: what they say, leave and refuse, and their exit codes."""

import json
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
from tests.cli.conftest import Run, bank_of
from tests.cli.pseudo_terminal import terminal
from tests.server.serving import serving_process


def test_a_night_sums_up_every_day_and_its_report_is_shown_again(run: Run, bank: Path) -> None:
    """Two days, two summaries; the last report in words and as JSON is what that night said."""
    run("import", str(bank))
    first = run("nightly", "--json")
    (person,) = first.json["users"]
    assert (first.code, first.json["policy"], person["llm"]["calls"]) == (0, "companion", 0)
    assert (person["user"], person["companion"], person["status"]) == ("Ada", "default", "ok")
    assert (person["summarised"], person["errors"]) == (["2026-03-02", "2026-03-10"], [])
    shown = run("nightly", "--last", "--json", now="2026-04-01T09:00").json
    assert {name: shown["users"][0][name] for name in person} == person
    words = run("nightly", "--last", now="2026-04-01T09:00").out
    assert words.startswith("The night of 14 March 2026, 09:00 UTC\nAda:\n  summed up: 2 March")
    again = run("nightly", "--json").json["users"][0]
    assert (again["summarised"], again["archived"], again["status"]) == ([], {}, "ok")


def test_a_home_that_does_not_exist_exits_3(run: Run, home: Path) -> None:
    """A night scheduled for the wrong folder must not look like success."""
    done = run("nightly", "--json")
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        f"The data directory {home} does not exist."
        " Name the one to work on with --home or SILICONFRIEND_HOME.\n"
    )
    assert run("worker", "--once").code == 3
    assert not home.exists()


def test_what_is_enqueued_a_worker_does(run: Run, bank: Path) -> None:
    """The report is the night's, and nothing is left in the queue."""
    run("import", str(bank))
    assert run("nightly", "--last", "--json").json is None
    ordered = run("nightly", "--enqueue", "--json")
    assert (ordered.code, ordered.json["enqueued"]) == (0, 1)
    assert run("nightly", "--last", "--json").json["waiting"] == 1
    said = run("nightly", "--last").out
    assert ("in the queue or under way: 1" in said, "Nobody" in said) == (True, False)
    done = run("worker", "--once", "--enqueued-only", "--json")
    assert (done.code, done.json) == (0, {"done": 1, "failed": 0, "later": 0, "given_back": 0})
    assert done.err.endswith("Ada: the night is done.\n")
    last = run("nightly", "--last", "--json").json
    assert last["users"][0]["summarised"] == ["2026-03-02", "2026-03-10"]
    assert "Nights in the queue: 1." in run("nightly", "--enqueue", "--user", "Ada").out


PLAN = "On 14 March I sit my harp exam."
SAID = "On 14 March I sit my harp exam"


@pytest.fixture
def planned(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ada told of an exam on 14 March 2026, and lets her companion speak first."""
    path = tmp_path / "bank.json"
    bank = bank_of("Ada", ("2026-02-01", [(PLAN, "Good luck!")]))
    path.write_text(json.dumps(bank), encoding="utf-8")
    assert run("import", str(path)).code == 0
    monkeypatch.setenv("SILICONFRIEND_SPEAKS_FIRST", "yes")
    monkeypatch.setenv("SILICONFRIEND_USER", "Ada")


@pytest.mark.usefixtures("planned")
def test_what_is_due_is_said_once(run: Run) -> None:
    """A notification's words, after a dry run too; for a bot each matter with its memory."""
    assert SAID in run("greet", "--dry-run").out
    document = run("greet", "--dry-run", "--json").json
    (matter,) = document["matters"]
    assert matter.pop("id").startswith("turn-2026-02-01-0-")
    assert matter == {"kind": "today", "day": "2026-03-14", "told": "2026-02-01", "text": PLAN}
    done = run("greet")
    assert (done.code, done.err) == (0, "")
    assert SAID in done.out
    again = run("greet", "--json", now="2026-03-14T18:00").json
    assert (again["greeting"], again["silent"], again["matters"]) == (None, "nothing", [])


@pytest.mark.usefixtures("planned")
def test_until_it_is_switched_on_it_says_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output is empty; standard error says how to switch it on, and nothing is used up."""
    monkeypatch.delenv("SILICONFRIEND_SPEAKS_FIRST")
    done = run("greet")
    assert (done.code, done.out) == (0, "")
    assert "siliconfriend config set speaks_first yes" in done.err
    assert run("greet", "--json").json["silent"] == "off"
    run("config", "set", "speaks_first", "yes")
    assert SAID in run("greet").out


@pytest.mark.usefixtures("planned")
@pytest.mark.slow
def test_a_chat_at_a_terminal_begins_with_it(run: Run) -> None:
    """Behind the greeting, once; off the record nothing is used up."""
    with terminal("chat", "--off-record") as shown:
        shown.wait_for("\nAda: ")
        assert SAID not in shown.shown
    with terminal("chat") as shown:
        shown.wait_for("\nAda: ")
        assert "good to have you back. I remember 1 day with you, since 1 February." in shown.shown
        assert SAID in shown.shown
    assert run("greet").out == ""


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
    assert (served.code, "are sent to qwen3.5:9b at http" in served.err) == (0, is_read)


@pytest.mark.slow
def test_a_port_that_is_taken_is_told(process: Run) -> None:
    """Who already has a page open there learns which port to change."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = process("web", "--port", port)
    assert (done.code, done.out) == (3, "")
    assert port in done.err

"""What a server does at its end, and what is told when another ended."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from siliconfriend.config import Settings, prepare_home
from siliconfriend.installation.installation import installation_in
from siliconfriend.night.person_night import NightOptions
from siliconfriend.person.bank import MemoryBank
from siliconfriend.person.nights import Nights
from siliconfriend.testing import MovingClock
from tests.loopback import Answered, LoopbackServer, chunk
from tests.server.serving import serving_process
from tests.server.silent_model import SilentModel


@pytest.fixture
def silent() -> Iterator[SilentModel]:
    """A model's server that says nothing."""
    model = SilentModel()
    yield model
    model.close()


@pytest.mark.slow
@pytest.mark.parametrize("stream", [False, True])
def test_who_waits_for_a_reply_is_told_when_the_server_ends(
    home: Path, silent: SilentModel, stream: bool
) -> None:
    """In the form of the path, and at once; what they said is stored."""
    prepare_home(home)
    key = installation_in(home).keys.make_for("Ada")
    environ = {"SILICONFRIEND_LLM": "openai", "OPENAI_BASE_URL": silent.url, "OPENAI_API_KEY": "k"}
    with serving_process(home, **environ) as (url, _, process), ThreadPoolExecutor(1) as threads:

        def chat() -> httpx.Response:
            headers = {"Authorization": f"Bearer {key}"}
            with httpx.Client(headers=headers, timeout=60, trust_env=False) as client:
                body = {"message": "Hello.", "stream": stream}
                return client.post(f"{url}/v1/people/Ada/chat", json=body)

        waiting = threads.submit(chat)
        assert silent.asked.wait(60)
        process.send_signal(signal.SIGTERM)
        answer = waiting.result(9)
        assert (answer.status_code, answer.json()["code"]) == (503, "stopping")
    with MemoryBank(home) as bank:
        assert [turn.query for turn in bank.person("Ada").turns()] == ["Hello."]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/people/Ada/chat", {"message": "Hello."}),
        (
            "/v1/chat/completions",
            {"model": "default", "messages": [{"role": "user", "content": "Hello."}]},
        ),
    ],
)
def test_a_stream_that_has_begun_ends_with_an_error_event(
    home: Path, loopback: LoopbackServer, path: str, body: dict[str, Any]
) -> None:
    """SIGTERM ends it within the grace period; the words said until then are kept as cut."""
    loopback.answers([Answered([chunk("Half a ")], hangs=True)])
    prepare_home(home)
    headers = {"Authorization": f"Bearer {installation_in(home).keys.make_for('Ada')}"}
    environ = {
        "SILICONFRIEND_LLM": "openai",
        "OPENAI_BASE_URL": loopback.url,
        "OPENAI_API_KEY": "k",
    }
    with (
        serving_process(home, **environ) as (url, _, process),
        httpx.Client(headers=headers, timeout=60, trust_env=False) as client,
    ):
        with client.stream("POST", url + path, json={**body, "stream": True}) as answer:
            assert answer.status_code == 200
            lines = answer.iter_lines()
            assert any("Half a" in line for line in lines)
            process.send_signal(signal.SIGTERM)
            rest = list(lines)
        assert any("stopping" in line for line in rest)
        process.wait(9)
    with MemoryBank(home) as bank:
        (turn,) = bank.person("Ada").turns()
    assert (turn.response, turn.interrupted) == ("Half a ", True)


def test_a_night_whose_process_ended_is_interrupted(
    settings: Settings, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not said to run for ever."""
    let = threading.Event()
    monkeypatch.setattr("siliconfriend.night.run.BegunNight.run", lambda _begun: let.wait(20))
    with MemoryBank(settings=settings, clock=clock) as bank:
        bank.person("Ada").add("Hello.")
        nights = Nights(bank)
        begun = nights.start("Ada", NightOptions(today=True))
        assert nights.state(begun.id, "Ada").state == "running"
        bank.installation.tables.change("UPDATE lease SET until = 0")
        assert nights.state(begun.id, "Ada").state == "interrupted"
        let.set()

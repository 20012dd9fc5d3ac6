"""What a server does at its end, and what is told when another ended."""

import signal
import threading
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
from tests.waiting import until

COMPLETIONS = "/v1/chat/completions"
SPOKEN, UNSPOKEN = "Tell me.", "Say nothing."


def _reply(asked: dict[str, Any]) -> Answered:
    """Begin a reply, or say nothing, and leave the line open."""
    has_begun = SPOKEN in str(asked["messages"][-1])
    return Answered([chunk("Half a ")] if has_begun else [], hangs=True)


@pytest.mark.slow
def test_who_waits_for_a_reply_is_told_when_the_server_ends(
    home: Path, loopback: LoopbackServer
) -> None:
    """At once, in the form of the path: by the status, or by an event where the reply has begun.

    What was said until then is stored as broken off.
    """
    loopback.answers_by(_reply)
    prepare_home(home)
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "Ada": ("/v1/people/Ada/chat", {"message": UNSPOKEN}),
        "Ben": ("/v1/people/Ben/chat", {"message": UNSPOKEN, "stream": True}),
        "Cai": ("/v1/people/Cai/chat", {"message": SPOKEN, "stream": True}),
        "Dee": (COMPLETIONS, {"model": "default", "stream": True}),
    }
    asked["Dee"][1]["messages"] = [{"role": "user", "content": SPOKEN}]
    keys = {name: installation_in(home).keys.make_for(name) for name in asked}
    begun = {name: threading.Event() for name in ("Cai", "Dee")}
    environ = {"OPENAI_BASE_URL": loopback.url, "OPENAI_API_KEY": "k"}
    with (
        serving_process(home, SILICONFRIEND_LLM="openai", **environ) as (url, _, process),
        ThreadPoolExecutor(len(asked)) as threads,
    ):

        def talk(name: str) -> tuple[int, str]:
            (path, body), told = asked[name], ""
            headers = {"Authorization": f"Bearer {keys[name]}"}
            with (
                httpx.Client(headers=headers, timeout=60, trust_env=False) as client,
                client.stream("POST", url + path, json=body) as answer,
            ):
                for line in answer.iter_lines():
                    told += line
                    if "Half a" in line:
                        begun[name].set()
                return answer.status_code, told

        waiting = {name: threads.submit(talk, name) for name in asked}
        until(lambda: len(loopback.asked) == len(asked))
        assert all(each.wait(60) for each in begun.values())
        process.send_signal(signal.SIGTERM)
        for name, (status, told) in ((name, each.result(9)) for name, each in waiting.items()):
            assert (status, "stopping" in told) == (200 if name in begun else 503, True)
        process.wait(9)
    with MemoryBank(home) as bank:
        for name in asked:
            (turn,) = bank.person(name).turns()
            said = "Half a " if name in begun else ""
            assert (turn.response, turn.interrupted) == (said, name in begun)


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

"""Requests as Open WebUI 0.12.4 and SillyTavern 1.19.0 sent them, against the real server.

They were recorded between the programs, used by hand, and the door; long texts of the programs
are shortened, ids are made short, keys left out. ``answer`` is what the model said then.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from siliconfriend.config import Settings
from siliconfriend.person.bank import MemoryBank
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.server.serving import OPERATOR, Server, serving

FOLDER = Path(__file__).parent / "client_requests"


Recorded = dict[str, Any]
"""A request: what its user did (``step``), ``headers``, ``body`` and the model's ``answer``."""


def _recorded(client: str, *steps: str) -> list[Recorded]:
    found: list[Recorded] = json.loads((FOLDER / f"{client}.json").read_text("utf-8"))
    return [each for each in found if not steps or each["step"] in steps]


@contextmanager
def _played(
    settings: Settings, clock: MovingClock, key: str, requests: list[Recorded], *, offline: bool
) -> Iterator[tuple[Server, dict[str, list[str]]]]:
    """Send requests to a server with a key; yields it, and what became of them by the step."""
    model = None if offline else ScriptedChatModel([each["answer"] for each in requests])
    named = replace(settings, forwarded_users="name")
    became: dict[str, list[str]] = {}
    with serving(MemoryBank(settings=named, clock=clock, chat=model)) as server:
        bearer = server.keys.make_for(key) if key != OPERATOR else key
        with server.client(bearer) as http:
            for request in requests:
                about = _send(http, request)["siliconfriend"]
                result = "remembered" if about["remembered"] else about["reason"]
                became.setdefault(request["step"], []).append(result)
        yield server, became


def _send(http: httpx.Client, each: Recorded) -> dict[str, Any]:
    """Send one request; of a stream its last event."""
    answer = http.post("/v1/chat/completions", json=each["body"], headers=each["headers"])
    assert answer.status_code == 200, answer.text
    if each["body"].get("stream"):
        events = [line[6:] for line in answer.text.splitlines() if line.startswith("data: {")]
        return dict(json.loads(events[-1]))
    return dict(answer.json())


def _said(server: Server, person: str) -> list[tuple[str, str]]:
    """What is kept of a person: their words, and the number in the reply."""
    return [(said, "".join(filter(str.isdecimal, reply))) for said, reply in server.said(person)]


def test_open_webui_is_remembered_as_it_is_shown(settings: Settings, clock: MovingClock) -> None:
    """Talk is kept once and with whose it is, in the words of the page; tasks and what passes are not."""
    requests = _recorded("open_webui")
    with _played(settings, clock, OPERATOR, requests, offline=False) as (server, became):
        assert _said(server, "Ada") == [
            ("My dog is called Rex.", "15"),
            ("He is afraid of thunder and of fireworks.", "21"),
            ("I bought an umbrella.", "27"),
            ("My sister Mira plays the cello.", "39"),
            ("How many apple trees did I plan?", "41"),
            ("And a bench?", "43"),
        ]
        assert _said(server, "小博") == [("My dog is called Rex.", "29"), ("我的猫叫豆包。", "31")]
    assert sorted(became["talk"]) == ["remembered", *["task: Open WebUI"] * 3]
    assert became["continue"] == ["unsure: continuation"]
    assert "private: temporary chat" in became["temporary"]
    assert became["temporary2"] == ["private: temporary chat"]
    named = {f"task: {name}_generation" for name in ("title", "follow_up", "tags")}
    assert {*became["headers"]} == {"remembered", *named}


def test_open_webui_is_answered_offline_in_the_forms_it_reads(
    settings: Settings, clock: MovingClock
) -> None:
    """Without a model too, and nothing but talk is kept."""
    requests = _recorded("open_webui", "talk", "headers")
    with _played(settings, clock, OPERATOR, requests, offline=True) as (server, _):
        said = [words for words, _ in _said(server, "Ada")]
        assert said == ["My dog is called Rex.", "My sister Mira plays the cello."]
        for request in requests:
            if request["body"]["stream"]:
                continue
            with server.client() as http:
                words = _send(http, request)["choices"][0]["message"]["content"]
            (form,) = json.loads(words)
            assert f'"{form}"' in request["body"]["messages"][0]["content"]


def test_sillytavern_is_remembered_as_it_is_shown(settings: Settings, clock: MovingClock) -> None:
    """Swiped, answered anew, edited, swiped back and cut: one copy, the character never in it.

    Its test message and what it generates raw stand alone, as a person's words do.
    """
    requests = _recorded("sillytavern")
    with _played(settings, clock, "Ada", requests, offline=False) as (server, became):
        assert _said(server, "Ada") == [
            ("Hi", "2"),
            ("My dog is called Rex.", "3"),
            ("He is afraid of thunder and of fireworks.", "9"),
            ("I bought an umbrella.", "12"),
            ("Name a color", "14"),
            ("My dog is called Rex.", "47"),
            ("He likes carrots.", "48"),
        ]
    tasks = {step: result for step, (result,) in became.items() if result != "remembered"}
    assert tasks == {
        "continue": "task: SillyTavern",
        "impersonate": "task: SillyTavern",
        "quiet": "task: instruction",
        "summarize": "task: SillyTavern",
    }

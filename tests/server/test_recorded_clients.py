"""Requests as Open WebUI 0.12.4 and SillyTavern 1.19.0 sent them, against the real server.

They were recorded between the programs, used by hand, and the door; long texts of the programs
are shortened, ids are made short, keys left out. ``answer`` is what the model said then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from siliconfriend.config import Settings
from siliconfriend.person.bank import MemoryBank
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.server.serving import OPERATOR, Server, serving

FOLDER = Path(__file__).parent / "client_requests"


@dataclass(frozen=True)
class Recorded:
    """One request of a client.

    Attributes:
        step: what its user did.
        headers, body: as it was sent.
        answer: what the model said to it.
    """

    step: str
    headers: dict[str, str]
    body: dict[str, Any]
    answer: str


def _recorded(client: str) -> list[Recorded]:
    return [Recorded(**it) for it in json.loads((FOLDER / f"{client}.json").read_text("utf-8"))]


@dataclass(frozen=True)
class Played:
    """What a server remembers after requests were sent to it again.

    Attributes:
        server: the server.
        became: what became of each request, by the step, in order.
    """

    server: Server
    became: dict[str, list[str]]

    def said(self, person: str) -> list[tuple[str, str]]:
        """What is kept of a person: their words, and the number in the reply."""
        with self.server.client() as client:
            answer = client.get(f"/v1/people/{person}/turns").raise_for_status().json()
        return [
            (it["said"], "".join(sign for sign in it["replied"] if sign.isdecimal()))
            for it in answer["turns"]
        ]


Play = Callable[..., Played]


@pytest.fixture
def play(settings: Settings, clock: MovingClock) -> Iterator[Play]:
    """Send recorded requests to a server of their own, with a key; offline or to the model."""
    running = []

    def send(client: str, key: str, *steps: str, offline: bool = False) -> Played:
        wanted = [it for it in _recorded(client) if not steps or it.step in steps]
        model = None if offline else ScriptedChatModel([it.answer for it in wanted])
        named = replace(settings, forwarded_users="name")
        opened = serving(MemoryBank(settings=named, clock=clock, chat=model))
        server = opened.__enter__()
        running.append(opened)
        bearer = server.keys.make_for(key) if key != OPERATOR else key
        became: dict[str, list[str]] = {}
        with server.client(bearer) as http:
            for it in wanted:
                became.setdefault(it.step, []).append(_send(http, it))
        return Played(server, became)

    yield send
    for opened in running:
        opened.__exit__(None, None, None)


def _send(http: httpx.Client, it: Recorded) -> str:
    """Send one request and read what became of it."""
    answer = http.post("/v1/chat/completions", json=it.body, headers=it.headers)
    assert answer.status_code == 200, answer.text
    if it.body.get("stream"):
        events = [line[6:] for line in answer.text.splitlines() if line.startswith("data: {")]
        about = json.loads(events[-1])["siliconfriend"]
    else:
        about = answer.json()["siliconfriend"]
    return "remembered" if about["remembered"] else about["reason"]


def test_open_webui_is_remembered_as_it_is_shown(play: Play) -> None:
    """Talk is kept once and with whose it is, in the words of the page; tasks and what passes are not."""
    played = play("open_webui", OPERATOR)
    assert played.said("Ada") == [
        ("My dog is called Rex.", "15"),
        ("He is afraid of thunder and of fireworks.", "21"),
        ("I bought an umbrella.", "27"),
        ("My sister Mira plays the cello.", "39"),
        ("How many apple trees did I plan?", "41"),
        ("And a bench?", "43"),
    ]
    assert played.said("小博") == [("My dog is called Rex.", "29"), ("我的猫叫豆包。", "31")]
    tasks = ["task: title", "remembered", "task: follow_ups", "task: tags"]
    assert sorted(played.became["talk"]) == sorted(tasks)
    assert played.became["continue"] == ["unsure: continuation"]
    assert "private: temporary chat" in played.became["temporary"]
    assert played.became["temporary2"] == ["private: temporary chat"]
    named = {f"task: {name}_generation" for name in ("title", "follow_up", "tags")}
    assert {*played.became["headers"]} == {"remembered", *named}


def test_open_webui_is_answered_offline_in_the_forms_it_reads(play: Play) -> None:
    """Without a model too, and nothing but talk is kept."""
    played = play("open_webui", OPERATOR, "talk", "headers", offline=True)
    said = [words for words, _ in played.said("Ada")]
    assert said == ["My dog is called Rex.", "My sister Mira plays the cello."]
    forms = {"title": "title", "tags": "tags", "follow_up": "follow_ups"}
    for it in _recorded("open_webui"):
        if it.step not in ("talk", "headers") or it.body["stream"]:
            continue
        task = it.headers.get("x-openwebui-task") or _task_of(it)
        with played.server.client() as http:
            answer = http.post("/v1/chat/completions", json=it.body, headers=it.headers).json()
        words = answer["choices"][0]["message"]["content"]
        assert [*json.loads(words)] == [forms[task.removesuffix("_generation")]]


def _task_of(it: Recorded) -> str:
    """Which task a request without a header asks for, by the key of the answer it wants."""
    words = it.body["messages"][0]["content"]
    return next(name for name in ("follow_up", "title", "tags") if f'"{name}' in words)


def test_sillytavern_is_remembered_as_it_is_shown(play: Play) -> None:
    """Swiped, answered anew, edited, swiped back and cut: one copy, the character never in it.

    Its test message and what it generates raw stand alone, as a person's words do.
    """
    played = play("sillytavern", "Ada")
    assert played.said("Ada") == [
        ("Hi", "2"),
        ("My dog is called Rex.", "3"),
        ("He is afraid of thunder and of fireworks.", "9"),
        ("I bought an umbrella.", "12"),
        ("Name a color", "14"),
        ("My dog is called Rex.", "47"),
        ("He likes carrots.", "48"),
    ]
    tasks = {step: became for step, (became,) in played.became.items() if became != "remembered"}
    assert tasks == {
        "continue": "task: continuation",
        "impersonate": "task: impersonation",
        "quiet": "task: instruction",
        "summarize": "task: summary",
    }

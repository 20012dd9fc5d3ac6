"""What servers say of the context they serve, and that prompts are made for the smaller number."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.models import openai_compatible
from siliconfriend.models.base import Message
from siliconfriend.models.connection import is_own_address
from siliconfriend.models.factory import open_chat_model
from siliconfriend.models.openai_compatible import SOON_SECONDS, OpenAICompatible
from siliconfriend.models.server import UNKNOWN_CONTEXT, Served, ask_server
from tests.loopback import Answered, LoopbackServer, document, streamed

MODEL = "qwen3.5:9b"
NOBODY = "http://127.0.0.1:9/v1"


def _ollama(*running: object) -> dict[str, Answered]:
    return {
        "/api/ps": document({"models": running}),
        "/v1/models": document({"data": [{"id": MODEL}]}),
    }


@pytest.mark.parametrize(
    ("pages", "served"),
    [
        (
            _ollama({"name": MODEL, "model": MODEL, "context_length": 16384}),
            Served("ollama", 16384, is_final=True, models=(MODEL,)),
        ),
        (
            _ollama({"name": "other", "context_length": 16384}),
            Served("ollama", 4096, is_final=False, models=(MODEL,)),
        ),
        (
            {"/props": document({"default_generation_settings": {"id": 0, "n_ctx": 6144}})},
            Served("llamacpp", 6144),
        ),
        (
            {"/v1/models": document({"data": [{"id": MODEL, "max_model_len": 32768}]})},
            Served("vllm", 32768, models=(MODEL,)),
        ),
        (
            {
                "/api/v0/models": document(
                    {"data": [{"id": MODEL, "loaded_context_length": 5000, "max": 9}]}
                )
            },
            Served("lmstudio", 5000),
        ),
        (
            {"/api/v0/models": document({"data": [{"id": MODEL, "state": "not-loaded"}]})},
            Served("lmstudio", None, is_final=False),
        ),
        ({}, Served()),
    ],
)
def test_each_server_says_it_in_its_own_way(
    loopback: LoopbackServer, pages: dict[str, Answered], served: Served
) -> None:
    """The number is that of the loaded model; what a model could have is not asked for."""
    loopback.pages = {**pages}
    assert ask_server(loopback.url, MODEL, None) == served


@pytest.mark.parametrize(
    "said",
    [
        Answered("[" * 3000, kind="application/json"),
        Answered("<html>", kind="text/html"),
        Answered('{"models": [5, {"context_length": "x"}], "data": [[], {"id": {}}]}'),
        Answered("no", status=500),
    ],
)
def test_nonsense_stays_unknown(loopback: LoopbackServer, said: Answered) -> None:
    """A server that answers anything else, or nothing, costs nobody their reply."""
    pages = ("/api/ps", "/props", "/v1/models", "/api/v0/models")
    loopback.pages = dict.fromkeys(pages, said)
    assert ask_server(loopback.url, MODEL, None).kind in ("", "ollama")
    assert ask_server(NOBODY, MODEL, None) == Served(is_final=False)


def test_prompts_are_made_for_what_is_served(loopback: LoopbackServer, home: Path) -> None:
    """Not for what the model could have; a short answer keeps a third of it."""
    loopback.answers([streamed("Hello")])
    loopback.pages = {**_ollama()}
    environ = {"SILICONFRIEND_LLM_ADDRESS": loopback.url}
    model = open_chat_model(load_settings(home=home, environ=environ, llm="ollama"))
    assert model is not None
    assert model.context_tokens == 4096
    model.complete([Message("user", "Hello")])
    assert loopback.asked[0]["max_tokens"] == 4096 // 3


@dataclass(eq=False)
class _Asked(OpenAICompatible):
    """A model whose server says these in turn, the last again and again."""

    base_url: str = NOBODY
    says: list[Served] = field(default_factory=list)

    def served(self) -> Served:
        return self.says.pop(0) if len(self.says) > 1 else self.says[0]


@pytest.mark.parametrize(
    ("tokens", "served", "whole"),
    [(32768, 4096, 4096), (4096, 32768, 4096), (None, 4096, 4096), (5000, None, 5000)],
)
def test_the_smaller_number_counts(tokens: int | None, served: int | None, whole: int) -> None:
    """A setting cannot make a server serve more, but may ask for less."""
    model = _Asked("m", context=tokens, says=[Served(context_tokens=served)])
    assert model.context_tokens == whole


@pytest.mark.parametrize("early", [Served("ollama", 4096, is_final=False), Served(is_final=False)])
def test_a_server_is_asked_once_an_hour(early: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """And soon again while it is down, or has not loaded the model."""
    model = _Asked(MODEL, says=[early, Served("ollama", 9000), Served("ollama", 16384)])
    begun = early.context_tokens or UNKNOWN_CONTEXT
    for moment, tokens in (
        (0.0, begun),
        (SOON_SECONDS - 1, begun),
        (SOON_SECONDS, 9000),
        (3600.0, 9000),
        (3610.0, 16384),
    ):
        monkeypatch.setattr(openai_compatible, "monotonic", partial(float, moment))
        assert model.context_tokens == tokens


@pytest.mark.parametrize(
    ("address", "is_own"),
    [
        ("http://localhost/v1", True),
        ("http://192.168.1.5:11434/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://host.docker.internal:11434/v1", True),
        ("https://api.openai.com/v1", False),
        ("http://8.8.8.8/v1", False),
    ],
)
def test_only_a_server_of_ones_own_is_asked(address: str, is_own: bool) -> None:
    """A service on the network serves what its page says."""
    assert is_own_address(address) == is_own

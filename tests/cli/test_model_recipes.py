"""The README's recipes for a model, word by word, against servers that behave as each does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.config.presets import presets
from siliconfriend.models.tokens import estimate_tokens
from tests.cli.conftest import Run, turns_of
from tests.loopback import Answered, LoopbackServer, chunk, document, refused, streamed

README = Path(__file__).parents[2] / "README.md"
KEY = "sk-of-this-service"
THOUGHT = "She plants a tree, so I should be glad."


@dataclass(frozen=True)
class Service:
    """How a service behaves.

    Attributes:
        name: of its preset.
        thinks_in: the field its thinking comes in; empty where it stands among the words.
        wants_new_limit: it knows the limit of length only by its newer name.
        knows_schemas: it can be asked for JSON by a schema.
    """

    name: str
    thinks_in: str
    wants_new_limit: bool = False
    knows_schemas: bool = True

    def answer(self, asked: Mapping[str, Any]) -> Answered:
        """Answer as the service would, thinking first unless it is told not to."""
        preset = presets()[self.name]
        if asked["model"] != preset.model and self.name != "llamacpp":
            return refused(404, f"The model {asked['model']} does not exist")
        if self.wants_new_limit and "max_tokens" in asked:
            return refused(400, "Unsupported: 'max_tokens'. Use 'max_completion_tokens' instead.")
        form = asked.get("response_format", {}).get("type")
        if form == "json_schema" and not self.knows_schemas:
            return refused(400, "This response_format type is unavailable now")
        is_off = all(asked.get(name) == value for name, value in preset.think_off.items())
        words = [chunk("How "), chunk("lovely.")]
        if is_off:
            return Answered([*words, chunk(finish="stop")])
        if self.thinks_in:
            return Answered([chunk(**{self.thinks_in: THOUGHT}), *words, chunk(finish="stop")])
        return streamed("<thi", "nk>", THOUGHT, "</think>", "How ", "lovely.")


SERVICES = (
    Service("openai", "", wants_new_limit=True),
    Service("deepseek", "reasoning_content", knows_schemas=False),
    Service("openrouter", "reasoning"),
    Service("qwen", "reasoning_content"),
    Service("ollama", "reasoning"),
    Service("vllm", "reasoning"),
    Service("llamacpp", ""),
)


def _recipe(name: str) -> list[list[str]]:
    """The words of each command that sets a service up, as the README has them."""
    blocks = re.findall(r"```sh\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    block = next((it for it in blocks if f"config set llm {name}\n" in it), None)
    if block is None:  # "in the same way"
        key = presets()[name].key
        block = f"siliconfriend config set llm {name}\n"
        block += f"siliconfriend config set {key}\n" if key else ""
    lines = [line.split("#")[0].split() for line in block.splitlines()]
    return [line[1:] for line in lines if line and line[0] == "siliconfriend"]


@pytest.fixture(params=SERVICES, ids=lambda service: service.name)
def service(
    request: pytest.FixtureRequest,
    run: Run,
    loopback: LoopbackServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Service:
    """Each service in turn, set up as the README says, and answering on this machine."""
    service: Service = request.param
    for words in _recipe(service.name):
        said = None if len(words) == 4 else f"{KEY}\n"
        assert run(*words, said=said).code == 0
    monkeypatch.setenv("SILICONFRIEND_LLM_ADDRESS", loopback.url)
    loopback.answers_by(service.answer)
    return service


def test_the_recipe_gives_a_reply_without_thinking(
    service: Service, run: Run, loopback: LoopbackServer
) -> None:
    """The service's own model is asked with its own key, and told not to think."""
    done = run("chat", "--user", "Ada", said="I planted a lemon tree.\n")
    assert done.code == 0
    assert done.out.splitlines()[-1] == "SiliconFriend: How lovely."
    asked, preset = loopback.asked[-1], presets()[service.name]
    assert asked["model"] == preset.model
    assert {name: asked[name] for name in preset.think_off} == dict(preset.think_off)
    assert loopback.keys[-1] == f"Bearer {KEY if service.name in KEYED else 'none'}"


KEYED = ("openai", "deepseek", "openrouter", "qwen", "vllm", "llamacpp")


def test_thinking_is_neither_shown_nor_kept(
    service: Service, run: Run, loopback: LoopbackServer
) -> None:
    """Switched on it costs time and tokens; the words are the same."""
    assert run("config", "set", "thinking", "on").code == 0
    done = run("chat", "--user", "Ada", said="I planted a lemon tree.\n")
    assert done.code == 0
    assert done.out.splitlines()[-1] == "SiliconFriend: How lovely."
    assert turns_of(run) == [("I planted a lemon tree.", "How lovely.")]
    on = presets()[service.name].think_on
    assert {name: loopback.asked[-1][name] for name in on} == dict(on)


IN_README = [it for it in SERVICES if it.name in ("openai", "deepseek", "ollama")]


@pytest.mark.parametrize(
    ("answered", "says"),
    [
        (refused(401), "refused the key"),
        (refused(402), "no credit left"),
        (refused(404), "has no model called"),
        (refused(429, retry_after="40"), "left alone for 40 seconds"),
    ],
)
@pytest.mark.parametrize("service", IN_README, indirect=True, ids=lambda service: service.name)
def test_a_refusal_names_what_to_set(
    service: Service, run: Run, loopback: LoopbackServer, answered: Answered, says: str
) -> None:
    """Exit code 5, the sentence with the service's own setting, and the person's words kept."""
    loopback.answers_by(lambda _asked: answered)
    done = run("chat", "--user", "Ada", said="I planted a lemon tree.\n")
    assert done.code == 5
    assert says in done.err
    if answered.status == 401 and service.name != "openai":
        assert "OPENAI_API_KEY" not in done.err or service.name == "ollama"
    assert turns_of(run) == [("I planted a lemon tree.", "")]


def test_a_model_file_answers(run: Run, gguf_path: Path) -> None:
    """The fourth recipe: a file, loaded by the program itself, which tells nobody outside."""
    assert run("config", "set", "llm", f"gguf:{gguf_path}").code == 0
    assert run("config", "set", "max_tokens", "12").code == 0
    done = run("chat", "--user", "Ada", said="I planted a lemon tree.\n")
    assert done.code == 0
    assert "127.0.0.1" in done.out.splitlines()[0]
    ((query, response),) = turns_of(run)
    assert query == "I planted a lemon tree."
    assert response.strip()


def test_a_small_context_is_kept_to(run: Run, loopback: LoopbackServer, home: Path) -> None:
    """What Ollama serves on a small machine holds prompt and answer, whatever is remembered."""
    for words in _recipe("ollama"):
        run(*words)
    assert run("config", "set", "llm_address", loopback.url).code == 0
    name = presets()["ollama"].model
    loopback.pages = {"/api/ps": document({"models": [{"name": name, "context_length": 4096}]})}
    loopback.answers_by(SERVICES[4].answer)
    long = "The lemon tree stands in the garden and the neighbour waters it. " * 30
    run("chat", "--user", "Ada", said=f"{long}\n" * 4)
    for asked in loopback.asked:
        prompt = sum(estimate_tokens(message["content"]) for message in asked["messages"])
        assert prompt + asked["max_tokens"] <= 4096
    assert home.exists()

"""The README's recipes for a model, word by word, against servers that behave as each does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.config.presets import presets
from tests.cli.conftest import Run
from tests.loopback import Answered, LoopbackServer, chunk, refused, streamed

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

"""A service is asked for its own model, with its own key, and told not to think."""

from __future__ import annotations

import pytest

from siliconfriend.config.presets import presets
from tests.cli.conftest import Run
from tests.loopback import LoopbackServer, streamed


@pytest.mark.parametrize("name", ["openai", "deepseek", "ollama", "vllm"])
def test_two_settings_give_a_reply_without_thinking(
    name: str, run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the README sets a service up: its name, and its key where it asks for one."""
    preset = presets()[name]
    assert run("config", "set", "llm", name).code == 0
    if preset.key is not None:
        assert run("config", "set", preset.key, said="sk-of-this\n").code == 0
    monkeypatch.setenv("SILICONFRIEND_LLM_ADDRESS", loopback.url)
    loopback.answers([streamed("<thi", "nk>", "She plants a tree.", "</think>", "How ", "lovely.")])
    done = run("chat", "--user", "Ada", said="I planted a lemon tree.\n")
    assert done.out.splitlines()[-1] == "SiliconFriend: How lovely."
    asked = loopback.asked[-1]
    assert asked["model"] == preset.model
    assert {field: asked[field] for field in preset.think_off} == dict(preset.think_off)
    assert loopback.keys[-1] == f"Bearer {'sk-of-this' if preset.key else 'none'}"

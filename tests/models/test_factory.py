"""Which chat model the settings open, and that nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.config.presets import presets
from siliconfriend.errors import ConfigurationError
from siliconfriend.models.factory import open_chat_model
from siliconfriend.models.openai_compatible import OpenAICompatible


def test_a_key_alone_opens_nothing(home: Path) -> None:
    """Without a word in the settings the companion stays offline, key or no key."""
    assert open_chat_model(load_settings(home=home, environ={"OPENAI_API_KEY": "k"})) is None


def test_openai_needs_a_key_or_an_address(home: Path) -> None:
    """OpenAI's own address needs a key; a server of one's own may do without."""
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY") as caught:
        open_chat_model(load_settings(home=home, environ={"SILICONFRIEND_LLM": "openai"}))
    assert "OPENAI_API_KEY" in caught.value.message("cn")
    environ = {"SILICONFRIEND_LLM": "openai", "OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"}
    model = open_chat_model(load_settings(home=home, environ=environ))
    assert model is not None
    assert model.address == "http://127.0.0.1:11434"


def test_settings_reach_the_model(home: Path) -> None:
    """Model, temperature and length are the settings'; a model is chosen where none is named."""
    environ = {"SILICONFRIEND_LLM": "openai", "OPENAI_API_KEY": "k"}
    model = open_chat_model(load_settings(home=home, environ=environ))
    assert isinstance(model, OpenAICompatible)
    assert (model.name, model.address) == ("openai:gpt-6-luna", "https://api.openai.com")
    environ |= {"SILICONFRIEND_MODEL": "gpt-4.1", "SILICONFRIEND_MAX_TOKENS": "77"}
    model = open_chat_model(load_settings(home=home, environ=environ, temperature="0.1"))
    assert isinstance(model, OpenAICompatible)
    assert (model.model, model.max_tokens, model.temperature) == ("gpt-4.1", 77, 0.1)


def test_a_model_file_is_opened_by_its_path(home: Path, gguf_path: Path) -> None:
    """``gguf:PATH`` names the file; it is checked at once and loaded only when asked."""
    environ = {"SILICONFRIEND_LLM": f"gguf:{gguf_path}"}
    model = open_chat_model(load_settings(home=home, environ=environ))
    assert model is not None
    assert model.name == f"gguf:{gguf_path.stem}"
    settings = load_settings(home=home, environ={}, llm=f"gguf:{home}/none.gguf")
    with pytest.raises(ConfigurationError, match="cannot be opened"):
        open_chat_model(settings)


KEYS = {
    "OPENAI_API_KEY": "key-of-openai",
    "DEEPSEEK_API_KEY": "key-of-deepseek",
    "OPENROUTER_API_KEY": "key-of-openrouter",
    "DASHSCOPE_API_KEY": "key-of-qwen",
    "VLLM_API_KEY": "key-of-own-server",
    "OPENAI_BASE_URL": "https://elsewhere.example/v1",
}


@pytest.mark.parametrize("name", [name for name in presets() if name != "openai"])
def test_a_preset_is_asked_at_its_own_address_with_its_own_key(home: Path, name: str) -> None:
    """Neither another service's key nor OpenAI's address, set for something else, is used."""
    preset = presets()[name]
    model = open_chat_model(load_settings(home=home, environ=KEYS, llm=name))
    assert isinstance(model, OpenAICompatible)
    own = "own-server" if preset.key == "vllm_api_key" else name
    key = None if preset.key is None else f"key-of-{own}"
    assert (model.base_url, model.api_key) == (preset.address, key)
    assert model.name == f"{name}:{preset.model}"


def test_an_address_and_a_model_of_ones_own_win(home: Path) -> None:
    """A preset is what is used where nothing else is set."""
    settings = load_settings(
        home=home,
        environ={"DASHSCOPE_API_KEY": "k"},
        llm="qwen",
        llm_address="https://dashscope.aliyuncs.com/compatible-mode/v1",
        model="qwen3.8-max",
        context_tokens="32768",
    )
    model = open_chat_model(settings)
    assert model is not None
    assert model.address == "https://dashscope.aliyuncs.com"
    assert (model.name, model.context_tokens) == ("qwen:qwen3.8-max", 32768)

"""Which chat model the settings open, and that nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.models.factory import open_chat_model
from siliconfriend.models.openai_compatible import DEFAULT_MODEL, OpenAICompatible


def test_a_key_alone_opens_nothing(home: Path) -> None:
    """Without a word in the settings the companion stays offline, key or no key."""
    assert open_chat_model(load_settings(home=home, environ={"OPENAI_API_KEY": "k"})) is None


def test_openai_needs_a_key_or_an_address(home: Path) -> None:
    """OpenAI's own address needs a key; a server of one's own may do without."""
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        open_chat_model(load_settings(home=home, environ={"SILICONFRIEND_LLM": "openai"}))
    environ = {"SILICONFRIEND_LLM": "openai", "OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"}
    model = open_chat_model(load_settings(home=home, environ=environ))
    assert model is not None
    assert model.address == "http://127.0.0.1:11434"


def test_settings_reach_the_model(home: Path) -> None:
    """Model, temperature and length are the settings'; a model is chosen where none is named."""
    environ = {"SILICONFRIEND_LLM": "openai", "OPENAI_API_KEY": "k"}
    model = open_chat_model(load_settings(home=home, environ=environ))
    assert isinstance(model, OpenAICompatible)
    assert (model.name, model.address) == (f"openai:{DEFAULT_MODEL}", "https://api.openai.com")
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

"""Which chat model the settings open, and the second one where the first has no answer."""

import time
from functools import partial
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.config.presets import presets
from siliconfriend.errors import (
    AnswerCut,
    ConfigurationError,
    ModelError,
    ModelUnavailable,
    UnusableAnswer,
)
from siliconfriend.models import base
from siliconfriend.models.base import REST_SECONDS, FallbackModel, Message, second_sentence
from siliconfriend.models.factory import open_chat_model
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.testing import ScriptedChatModel


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
    "SILICONFRIEND_LLM_KEY": "key-of-own-server",
    "OPENAI_BASE_URL": "https://elsewhere.example/v1",
}


@pytest.mark.parametrize("name", [name for name in presets() if name != "openai"])
def test_a_preset_is_asked_at_its_own_address_with_its_own_key(home: Path, name: str) -> None:
    """Neither another service's key nor OpenAI's address, set for something else, is used."""
    preset = presets()[name]
    model = open_chat_model(load_settings(home=home, environ=KEYS, llm=name))
    assert isinstance(model, OpenAICompatible)
    own = "own-server" if preset.key == "llm_key" else name
    key = None if preset.key is None else f"key-of-{own}"
    assert (model.base_url, model.api_key) == (preset.address, key)
    assert model.name == f"{name}:{preset.model}"


@pytest.mark.parametrize(
    ("address", "own", "sent"),
    [
        ("http://127.0.0.1:9/v1", None, None),
        ("http://127.0.0.1:9/v1", "of-this-server", "of-this-server"),
        ("https://api.openai.com/v1", None, "key-of-openai"),
        ("https://api.deepseek.com", "of-another", "key-of-deepseek"),
    ],
)
def test_a_key_goes_to_the_address_it_was_entered_for_alone(
    home: Path, address: str, own: str | None, sent: str | None
) -> None:
    how = {"llm": "openai", "llm_address": address, "llm_key": own}
    environ = {name: key for name, key in KEYS.items() if name != "SILICONFRIEND_LLM_KEY"}
    model = open_chat_model(load_settings(home=home, environ=environ, **how))
    assert isinstance(model, OpenAICompatible)
    assert model.api_key == sent


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


ASKED = [Message("user", "Hello")]
GONE = ModelUnavailable("model_unreachable", name="a", address="b", address_variable="C")
EMPTY = UnusableAnswer("model_empty", name="a")
BUSY = ModelUnavailable("model_busy", name="a", address="b", status=429, retry_after=300.0)
REFUSED = UnusableAnswer("model_refused", name="a")


def test_the_first_answers_while_it_can() -> None:
    """The second is not asked, and the answer says whose it is."""
    second = ScriptedChatModel(name="second")
    model = FallbackModel(ScriptedChatModel(["Hi", "Yes"], name="first"), second)
    assert "".join(model.stream(ASKED)) == "Hi"
    assert model.complete(ASKED).model == "first"
    assert second.calls == []


@pytest.mark.parametrize("failure", [GONE, EMPTY])
def test_the_second_answers_where_the_first_has_nothing(
    failure: ModelError, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is gone, or an answer without a word: whole or streamed alike."""
    second = ScriptedChatModel(["One", "Two"], name="second")
    model = FallbackModel(ScriptedChatModel([failure, failure]), second)
    assert "".join(model.stream(ASKED)) == "One"
    later = time.monotonic() + REST_SECONDS
    monkeypatch.setattr(base, "monotonic", lambda: later)
    assert model.complete(ASKED).model == "second"


@pytest.mark.parametrize("failure", [GONE, AnswerCut("model_cut", name="a", longest=1)])
def test_a_reply_that_has_begun_is_not_taken_over(failure: ModelError) -> None:
    """Nobody's sentence is finished by somebody else."""
    model = FallbackModel(ScriptedChatModel([["Hel", failure]]), ScriptedChatModel(["One"]))
    stream = model.stream(ASKED)
    assert next(stream) == "Hel"
    with pytest.raises(ModelError):
        next(stream)


@pytest.mark.parametrize(("failure", "rest"), [(GONE, REST_SECONDS), (BUSY, 300.0)])
def test_a_model_that_failed_rests(
    failure: ModelError, rest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a minute, or as long as its server asks; a refusal is an answer and no reason to rest."""
    first = ScriptedChatModel([failure, "Back", REFUSED], name="first")
    model = FallbackModel(first, ScriptedChatModel(["One", "Two"], name="second"))
    for moment, name in ((0.0, "second"), (rest - 1, "second"), (rest, "first")):
        monkeypatch.setattr(base, "monotonic", partial(float, moment))
        assert model.complete(ASKED).model == name
    assert len(first.calls) == 2
    with pytest.raises(UnusableAnswer) as caught:
        model.complete(ASKED)
    assert caught.value.key == "model_refused"


def test_both_failures_are_told() -> None:
    """The sentence holds the reason of each, in both languages."""
    model = FallbackModel(ScriptedChatModel([GONE]), ScriptedChatModel([GONE]))
    with pytest.raises(ModelUnavailable) as caught:
        model.complete(ASKED)
    assert str(caught.value).count("cannot be reached") == 2
    assert caught.value.message("cn").count("连接不上") == 2


def test_the_settings_name_it(home: Path) -> None:
    """A service of its own, with its own key, address and model; said who hears the words."""
    environ = {"DEEPSEEK_API_KEY": "k", "SILICONFRIEND_MODEL": "deepseek-v4-pro"}
    settings = load_settings(
        home=home, environ=environ, llm="deepseek", fallback_llm="ollama", context_tokens="9000"
    )
    model = open_chat_model(settings)
    assert isinstance(model, FallbackModel)
    assert (model.first.name, model.second.name) == (
        "deepseek:deepseek-v4-pro",
        "ollama:qwen3.5:9b",
    )
    assert model.first.context_tokens == 9000
    assert isinstance(model.second, OpenAICompatible)
    assert "SILICONFRIEND_FALLBACK_MODEL" in model.second.variables.values()
    assert second_sentence(model, "en") == (
        " If it cannot answer, qwen3.5:9b at http://127.0.0.1:11434 is asked."
    )
    assert "http://127.0.0.1:11434" in second_sentence(model, "cn")
    assert second_sentence(model.first, "en") == ""
    settings = load_settings(home=home, environ={}, llm="ollama", fallback_llm="deepseek")
    with pytest.raises(ConfigurationError, match="FALLBACK_LLM is deepseek") as caught:
        open_chat_model(settings)
    assert "DEEPSEEK_API_KEY" in caught.value.message("cn")

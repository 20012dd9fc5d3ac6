"""The second model: asked where the first has no answer, and never for anything else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.errors import (
    AnswerCut,
    ConfigurationError,
    ModelError,
    ModelUnavailable,
    UnusableAnswer,
)
from siliconfriend.models.base import Message
from siliconfriend.models.factory import open_chat_model
from siliconfriend.models.fallback import REST_SECONDS, FallbackModel, second_sentence
from siliconfriend.testing import ScriptedChatModel

ASKED = [Message("user", "Hello")]
GONE = ModelUnavailable("model_unreachable", name="a", address="b", address_variable="C")
EMPTY = UnusableAnswer("model_empty", name="a")
BUSY = ModelUnavailable("model_busy", name="a", address="b", status=429, retry_after=300.0)
REFUSED = UnusableAnswer("model_refused", name="a")


@dataclass
class _Time:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def _pair(
    first: ScriptedChatModel, second: ScriptedChatModel, time: _Time | None = None
) -> FallbackModel:
    return FallbackModel(first, second, time or _Time())


def test_the_first_answers_while_it_can() -> None:
    """The second is not asked, and the answer says whose it is."""
    second = ScriptedChatModel(name="second")
    model = _pair(ScriptedChatModel(["Hi", "Yes"], name="first"), second)
    assert "".join(model.stream(ASKED)) == "Hi"
    assert model.complete(ASKED).model == "first"
    assert second.calls == []


@pytest.mark.parametrize("failure", [GONE, EMPTY])
def test_the_second_answers_where_the_first_has_nothing(failure: ModelError) -> None:
    """A server that is gone, or an answer without a word: whole or streamed alike."""
    second = ScriptedChatModel(["One", "Two"], name="second")
    model = _pair(ScriptedChatModel([failure, failure]), second, time := _Time())
    assert "".join(model.stream(ASKED)) == "One"
    time.now += REST_SECONDS
    assert model.complete(ASKED).model == "second"


@pytest.mark.parametrize("failure", [GONE, AnswerCut("model_cut", name="a", longest=1)])
def test_a_reply_that_has_begun_is_not_taken_over(failure: ModelError) -> None:
    """Nobody's sentence is finished by somebody else."""
    model = _pair(ScriptedChatModel([["Hel", failure]]), ScriptedChatModel(["One"]))
    stream = model.stream(ASKED)
    assert next(stream) == "Hel"
    with pytest.raises(ModelError):
        next(stream)


@pytest.mark.parametrize(("failure", "rest"), [(GONE, REST_SECONDS), (BUSY, 300.0)])
def test_a_model_that_failed_rests(failure: ModelError, rest: float) -> None:
    """For a minute, or as long as its server asks; a refusal is an answer and no reason to rest."""
    first = ScriptedChatModel([failure, "Back", REFUSED], name="first")
    model = _pair(first, ScriptedChatModel(["One", "Two"], name="second"), time := _Time())
    for moment, name in ((0.0, "second"), (rest - 1, "second"), (rest, "first")):
        time.now = moment
        assert model.complete(ASKED).model == name
    assert len(first.calls) == 2
    with pytest.raises(UnusableAnswer) as caught:
        model.complete(ASKED)
    assert caught.value.key == "model_refused"


def test_both_failures_are_told() -> None:
    """The sentence holds the reason of each, in both languages."""
    model = _pair(ScriptedChatModel([GONE]), ScriptedChatModel([GONE]))
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
    assert second_sentence(model, "en") == (
        " Where it cannot answer, ollama:qwen3.5:9b at http://127.0.0.1:11434 is asked."
    )
    assert "http://127.0.0.1:11434" in second_sentence(model, "cn")
    assert second_sentence(model.first, "en") == ""
    settings = load_settings(home=home, environ={}, llm="ollama", fallback_llm="deepseek")
    with pytest.raises(ConfigurationError, match="FALLBACK_LLM is deepseek") as caught:
        open_chat_model(settings)
    assert "DEEPSEEK_API_KEY" in caught.value.message("cn")

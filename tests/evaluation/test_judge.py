"""A model's verdicts, and what becomes of one that cannot be used."""

from __future__ import annotations

from dataclasses import replace

import pytest

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, ModelUnavailable, UsageError
from siliconfriend.evaluation.grading import Grade
from siliconfriend.evaluation.judge import Judge, open_judge
from siliconfriend.prompts.loader import Prompts
from siliconfriend.testing import ScriptedChatModel
from siliconfriend.texts import LANGUAGES

PROMPTS = {language: Prompts(language) for language in LANGUAGES}


def _verdict(verdict: str, kind: str = "single") -> Grade:
    judge = Judge(ScriptedChatModel([{"verdict": verdict}]), PROMPTS)
    return judge.grade(kind, "What do I like?", "jazz", "You like jazz.", "en")


def test_verdicts_become_grades() -> None:
    """To invent is possible only where there is nothing right to tell."""
    assert _verdict("right") == Grade(right=True)
    assert _verdict("wrong") == Grade()
    assert _verdict("refused") == Grade(refused=True)
    assert _verdict("invented") == Grade()
    assert _verdict("refused", "unanswerable") == Grade(right=True)
    assert _verdict("wrong", "unanswerable") == Grade(invented=True)
    assert _verdict("invented", "false-premise") == Grade(invented=True)


def test_the_judge_sees_question_gold_answer_and_reply() -> None:
    """In the language of the question."""
    model = ScriptedChatModel([{"verdict": "right"}])
    Judge(model, PROMPTS).grade("single", "我喜欢什么？", "爵士乐", "你喜欢爵士乐。", "cn")
    ((message,),) = model.calls
    for words in ("我喜欢什么？", "爵士乐", "你喜欢爵士乐。", "结论"):
        assert words in message.content


@pytest.mark.parametrize("answer", ["no json", {"verdict": "splendid"}, ""])
def test_a_verdict_that_cannot_be_used_falls_back_to_the_rule(answer: object) -> None:
    """And is counted, so that nobody takes the rule's grades for the judge's."""
    model = ScriptedChatModel()
    model.enqueue(answer)  # type: ignore[arg-type]  # a parameter of any kind
    judge = Judge(model, PROMPTS)
    assert judge.grade("single", "What?", "jazz", "You like jazz.", "en") == Grade(right=True)
    assert judge.fallbacks == 1


def test_a_judge_that_cannot_be_reached_ends_the_run() -> None:
    """Half a table by one measure and half by another would mislead."""
    down = ModelUnavailable("model_unreachable", address="y")
    with pytest.raises(ModelUnavailable):
        Judge(ScriptedChatModel([down]), PROMPTS).grade("single", "?", "a", "b", "en")


@pytest.mark.parametrize("name", ["", "gpt-9", "openai:", "gguf: ", "offline"])
def test_only_a_model_that_is_named_judges(name: str, settings: Settings) -> None:
    """Nothing is sent anywhere by accident."""
    with pytest.raises(UsageError):
        open_judge(settings, name)


def test_a_judge_is_opened_as_the_settings_say(settings: Settings) -> None:
    """With the key and the address that are set; without a key there is none."""
    with pytest.raises(ConfigurationError):
        open_judge(settings, "openai:strict-1")
    with_server = replace(settings, openai_base_url="http://127.0.0.1:9/v1")
    assert open_judge(with_server, "openai:strict-1").name == "openai:strict-1"

"""Grade a reply: is it right, does it refuse to answer, does it make something up?

By rule, so that anyone gets the same grade without a model:

- **token recall**: of the content words of the gold answer, at least half stand in the reply. What
  stands in brackets in a gold answer is extra and left out; so are words nearly every
  sentence has; English is stemmed, Chinese segmented, number words count as numbers.
- **refused**: the reply has one of the phrases of ``refusals`` in ``texts/*/evaluation.toml``
  (both languages are looked for), outside quotation marks: a friend who "I don't know how to
  solve it" has not said that of itself.
- A question that can be answered is *right* where its answer is found; it is *refused* where
  it is not right and the reply says so.
- An unanswerable one is right where the reply refuses. One with a false premise is right where
  the premise is denied, or words of the answer are found that the question does not have, and the
  reply does not begin by agreeing: whoever agrees repeats the question.
- On these two kinds a reply that is not right and does not refuse has *invented* something.

Where words alone cannot tell, a model that is named for it may judge instead: the replies, the
questions and the gold answers go to its address.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

from siliconfriend.config import Settings
from siliconfriend.errors import UnusableAnswer, UsageError
from siliconfriend.evaluation.datasets import FALSE_PREMISE, UNANSWERABLE, Question
from siliconfriend.language.characters import fold
from siliconfriend.language.numbers import numbers_to_digits
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import matches
from siliconfriend.models.base import ChatModel, Message
from siliconfriend.models.factory import open_chat_model
from siliconfriend.prompts.loader import Prompts
from siliconfriend.texts import Language

Grade = Literal["right", "wrong", "refused", "invented"]

RECALL_THRESHOLD = 0.5
"""Of the gold answer's content words, how many must stand in a reply: half, since a gold answer
tells more than was asked about as often as a reply says the rest in other words."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": list(get_args(Grade))}},
    "required": ["verdict"],
    "additionalProperties": False,
}
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|《[^》]*》")
_BRACKETS = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|【[^【】]*】")


def grade_reply(kind: str, gold: str, reply: str, question: str = "") -> Grade:
    """The grade of a reply to a question of a kind, by the rule above.

    Args:
        kind: of question.
        gold: the answer, where there is one.
        reply: what is graded.
        question: what was asked; counts where it has a false premise.
    """
    refuses = is_refusal(reply)
    if kind == UNANSWERABLE:
        return "right" if refuses else "invented"
    if kind == FALSE_PREMISE:
        new = gold_tokens(gold) - set(_tokens(question))
        answered = bool(new) and len(new & set(_tokens(reply))) / len(new) >= RECALL_THRESHOLD
        if (answered or _has("denials", reply)) and not _has("agreements", reply):
            return "right"
        return "refused" if refuses else "invented"
    if token_recall(gold, reply) >= RECALL_THRESHOLD:
        return "right"
    return "refused" if refuses else "wrong"


def is_refusal(reply: str) -> bool:
    """True if a reply has one of the phrases that say the companion does not remember."""
    return _has("refusals", reply)


def token_recall(gold: str, reply: str) -> float:
    """The share of the gold answer's tokens that stand in the reply; 0 for a gold answer without any."""
    wanted = gold_tokens(gold)
    return len(wanted & set(_tokens(reply))) / len(wanted) if wanted else 0.0


def gold_tokens(gold: str) -> frozenset[str]:
    """The tokens of a gold answer, brackets left out; those in them where nothing else is left."""
    outside = _BRACKETS.sub(" ", gold)
    return frozenset(_tokens(outside) or _tokens(gold))


def _tokens(text: str) -> list[str]:
    """The tokens of a text, number words of both languages as digits."""
    return tokenize(numbers_to_digits(text))


def _has(phrases: str, reply: str) -> bool:
    """True if a reply has such a phrase outside of quotation marks."""
    own = _QUOTED.sub(" ", reply).replace("’", "'")
    return matches("evaluation", phrases, fold(own).strip())


class RuleJudge:
    """Grades replies by the rule.

    Attributes:
        name: of who grades.
        fallbacks: how many verdicts of a model the rule had to replace.
    """

    name = "rule"
    fallbacks = 0

    def grade(self, kind: str, question: Question, reply: str, language: Language) -> Grade:
        """Grade a reply to a question as one of this kind."""
        return grade_reply(kind, question.gold, reply, question.text)


class ModelJudge(RuleJudge):
    """A model that grades replies; the rule where its verdict cannot be used."""

    def __init__(self, chat: ChatModel, folder: Path | None = None) -> None:
        self.name = chat.name
        self._chat, self._folder = chat, folder

    def grade(self, kind: str, question: Question, reply: str, language: Language) -> Grade:
        """Grade a reply.

        Raises:
            ModelUnavailable: the model cannot be reached.
        """
        prompt = Prompts(language, self._folder).render(
            "judge", kind=kind, question=question.text, gold=question.gold, reply=reply
        )
        try:
            verdict = self._chat.complete([Message("user", prompt)], SCHEMA).data["verdict"]
        except (UnusableAnswer, KeyError, TypeError):
            verdict = None
        if verdict not in get_args(Grade):
            self.fallbacks += 1
            return super().grade(kind, question, reply, language)
        if kind == UNANSWERABLE and verdict == "refused":
            return "right"
        if verdict in ("wrong", "invented"):
            return "invented" if kind in (UNANSWERABLE, FALSE_PREMISE) else "wrong"
        grade: Grade = verdict
        return grade


def open_judge(settings: Settings, name: str) -> ModelJudge:
    """Open the judge that ``openai:MODEL`` or ``gguf:PATH`` names, reached as the settings say.

    Raises:
        UsageError: the name is of neither form.
        ConfigurationError: the model cannot be opened.
    """
    kind, _, model = name.partition(":")
    if kind not in ("openai", "gguf") or not model.strip():
        raise UsageError("judge_name", name=name)
    llm = name if kind == "gguf" else kind
    chat = open_chat_model(
        replace(
            settings,
            llm=llm,
            llm_address=settings.llm_address if settings.llm == llm else None,
            model=model.strip(),
            fallback_llm=None,
            temperature=0.0,
        )
    )
    assert chat is not None
    return ModelJudge(chat, settings.prompts)

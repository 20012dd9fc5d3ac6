"""The three questions a reflection puts to a model: what to ask, what follows, what remains.

Both the memory stream and the night ask through here, so that the same answer is read in
the same way. An answer that holds nothing of the form is shown to the model once more;
after that it is an error, never an insight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from siliconfriend.errors import UnusableAnswer
from siliconfriend.importance import LONGEST
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.quoting import quoted
from siliconfriend.prompts import Prompts
from siliconfriend.stream.insights import Insight, parse_insights, parse_questions

QUESTIONS = 3
CONDENSED = 5
"""The most insights that remain for one question."""
OVERHEAD = 1200
"""Tokens left for the instruction and the answer."""
SHORTEST = 20
"""Tokens of a statement, however many there are."""

Read = TypeVar("Read")


def ask_questions(
    chat: CompletionModel, prompts: Prompts, statements: Mapping[int, str], key_words: Iterable[str]
) -> list[str]:
    """Up to three high-level questions that the statements, by number, let one answer.

    ``key_words`` are what comes up most in all that is remembered; they help to choose.

    Raises:
        UnusableAnswer: no question in the model's answer, nor when asked again.
        ModelError: as :meth:`ChatModel.complete`.
    """
    prompt = prompts.render(
        "reflection_questions",
        statements=_numbered(chat, statements),
        key_words=quoted(", ".join(key_words), LONGEST) or "-",
    )
    return _asked(chat, prompts, prompt, lambda answer: parse_questions(answer, QUESTIONS))


def ask_insights(
    chat: CompletionModel, prompts: Prompts, statements: Mapping[int, str], question: str
) -> list[Insight]:
    """What follows from the statements, by number, in view of a question.

    Raises:
        UnusableAnswer: no insight in the model's answer, nor when asked again.
        ModelError: as :meth:`ChatModel.complete`.
    """
    prompt = prompts.render(
        "reflection_insights",
        statements=_numbered(chat, statements),
        question=quoted(question, LONGEST),
    )
    return _asked(chat, prompts, prompt, parse_insights)


def ask_condensed(chat: CompletionModel, prompts: Prompts, insights: str) -> str:
    """A list of insights made into at most five, as the model wrote them.

    Raises:
        UnusableAnswer: no insight in the model's answer, nor when asked again.
        ModelError: as :meth:`ChatModel.complete`.
    """
    lines = (quoted(line, LONGEST) for line in insights.splitlines() if line.strip())
    prompt = prompts.render("condense_insights", insights="\n".join(lines))
    return _asked(chat, prompts, prompt, lambda answer: answer if parse_insights(answer) else "")


def _asked(
    chat: CompletionModel, prompts: Prompts, prompt: str, read: Callable[[str], Read]
) -> Read:
    messages = [Message("user", prompt)]
    answer = chat.complete(messages).text
    if found := read(answer):
        return found
    messages += [Message("assistant", answer), Message("user", prompts.render("form_again"))]
    if found := read(chat.complete(messages).text):
        return found
    raise UnusableAnswer("model_no_list", name=chat.name)


def _numbered(chat: CompletionModel, statements: Mapping[int, str]) -> str:
    """One statement a line behind its number, each cut so that all fit the model's context."""
    room = (chat.context_tokens - OVERHEAD) // max(1, len(statements))
    longest = max(SHORTEST, min(LONGEST, room))
    return "\n".join(f"{number}. {quoted(text, longest)}" for number, text in statements.items())

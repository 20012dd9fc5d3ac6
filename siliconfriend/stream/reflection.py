"""Ask a model for a reflection: which questions memories raise, and what follows for each.

The memory stream and the night both reflect through here, so that one threshold holds and
the same answer is read in the same way; what feeds a question, and where insights are
stored, is theirs. An answer that holds nothing of the form asked for is shown to the model
once more; after that it is an error, never an insight.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeVar

from siliconfriend.errors import UnusableAnswer
from siliconfriend.importance import LONGEST
from siliconfriend.language.keywords import top_keywords
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.tokens import truncate
from siliconfriend.prompts.loader import Prompts
from siliconfriend.stream.insights import (
    Insight,
    drop_invented,
    format_insights,
    parse_insights,
    parse_questions,
)

MOST_QUESTIONS = 3
MOST_INSIGHTS = 5
"""Insights that remain for one question, at most."""
RELEVANCE_THRESHOLD = 0.5
"""A memory feeds a question if its relevance, from 0 for the least to 1 for the most relevant
memory, is above this."""
KEYWORDS = 8
OVERHEAD = 1200
"""Tokens left for the instruction and the answer."""
SHORTEST = 20
"""Tokens of a statement, however many there are."""

_Parsed = TypeVar("_Parsed")


def reaches_threshold(importance: Iterable[float], threshold: float) -> bool:
    """True if the sum reaches the threshold; ten times 0.3 reaches 3, whatever floats say."""
    return round(math.fsum(importance), 9) >= threshold


def ask_questions(
    chat: CompletionModel, prompts: Prompts, statements: Mapping[int, str], texts: Iterable[str]
) -> list[str]:
    """Ask for up to three high-level questions that the statements, by number, can answer.

    The keywords of ``texts``, which are all that is remembered, help the model to choose.

    Raises:
        UnusableAnswer: no question in the model's answer, nor when asked again.
        ModelError: as :meth:`ChatModel.complete`.
    """
    keywords = ", ".join(top_keywords(texts, KEYWORDS))
    prompt = prompts.render(
        "reflection_questions",
        statements=_numbered(chat, statements),
        key_words=truncate(keywords, LONGEST) or "-",
    )
    return _ask(chat, prompts, prompt, lambda answer: parse_questions(answer, MOST_QUESTIONS))


def infer_insights(
    chat: CompletionModel,
    prompts: Prompts,
    statements: Mapping[int, str],
    question: str,
    citable: Collection[int],
) -> list[Insight]:
    """Infer at most five insights from the statements, by number, in view of a question.

    One that cites a number not in ``citable`` is left out. No model is asked where there is
    no statement.

    Raises:
        UnusableAnswer: no insight in an answer of the model, nor when asked again.
        ModelError: as :meth:`ChatModel.complete`.
    """
    if not statements:
        return []
    prompt = prompts.render(
        "reflection_insights",
        statements=_numbered(chat, statements),
        question=truncate(question, LONGEST),
    )
    insights = _ask(chat, prompts, prompt, parse_insights)
    condensed = condense(chat, prompts, format_insights(insights))
    return drop_invented(parse_insights(condensed), citable)


def condense(chat: CompletionModel, prompts: Prompts, insights: str) -> str:
    """Condense a list of insights to at most five, as the model wrote them.

    Raises:
        UnusableAnswer: no insight in the model's answer, nor when asked again.
        ModelError: as :meth:`ChatModel.complete`.
    """
    lines = (truncate(line, LONGEST) for line in insights.splitlines() if line.strip())
    prompt = prompts.render("condense_insights", insights="\n".join(lines))
    answer = _ask(chat, prompts, prompt, lambda answer: answer if parse_insights(answer) else "")
    condensed = parse_insights(answer)
    if len(condensed) > MOST_INSIGHTS:
        return format_insights(condensed[:MOST_INSIGHTS])
    return answer


def _ask(
    chat: CompletionModel, prompts: Prompts, prompt: str, parse: Callable[[str], _Parsed]
) -> _Parsed:
    """The parsed answer; an answer in which nothing was found is asked for once more."""
    messages = [Message("user", prompt)]
    answer = chat.complete(messages).text
    if parsed := parse(answer):
        return parsed
    messages += [Message("assistant", answer), Message("user", prompts.render("form_again"))]
    if parsed := parse(chat.complete(messages).text):
        return parsed
    raise UnusableAnswer("model_no_list", name=chat.name)


def _numbered(chat: CompletionModel, statements: Mapping[int, str]) -> str:
    """The statements, a line each behind its number, each cut so that all fit the context."""
    room = (chat.context_tokens - OVERHEAD) // max(1, len(statements))
    longest = max(SHORTEST, min(LONGEST, room))
    return "\n".join(f"{number}. {truncate(text, longest)}" for number, text in statements.items())

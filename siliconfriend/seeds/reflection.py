"""Ask a model for a reflection: questions that the memories raise, and insights for each.

A model whose answer has the wrong form is asked once more.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from siliconfriend.errors import UnusableAnswer
from siliconfriend.language.words import top_keywords
from siliconfriend.models.base import ChatModel, CompletionModel, Message
from siliconfriend.models.tokens import truncate
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.seeds.defaults import chat_for_reflection, prompts_for
from siliconfriend.seeds.importance import LONGEST
from siliconfriend.seeds.memory_stream import Memory, MemoryStream, Reflection

CitedInsight = tuple[str, list[int]]
"""An insight and the 0-based positions of the memories that it cites."""

_MARKER = re.compile(r"\s*(?:[-*•·–]+\s+)?(?:\*\*|__)?(?:\(?\d{1,3}\s*[.、)\]:。](?!\d)|[-*•·–]\s)")
_CITED = (
    r"(?:[\s\d,、;:.#`~–—-]|\b(?:statements?|evidences?|index(?:es)?|indices|numbers?|nos?|and)\b"
    r"|证据|依据|陈述|编号|[第条和与])"
)
_EVIDENCE = re.compile(
    rf"((?:[\s,;、*_]*[\[【〔](?=[^\[\]【】〔〕]*\d){_CITED}+[\]】〕])+)([\s*_.!?。;…]*)\Z",
    re.IGNORECASE,
)
"""Matches the evidence at the end of a line; other brackets belong to the words."""
_RANGE = re.compile(r"(\d{1,9})(?:\s*[-–—~]\s*(\d{1,9}))?")
_LONGEST_RANGE = 50

MOST_QUESTIONS = 3
MOST_INSIGHTS = 5
"""Most insights for one question."""
RELEVANCE_THRESHOLD = 0.5
"""Relevance, 0 to 1, above which a memory is shown for a question."""
KEYWORDS = 8
OVERHEAD = 1200
"""Tokens reserved for the instruction and the answer."""
SHORTEST = 20
"""Least tokens of a statement."""

_Parsed = TypeVar("_Parsed")


def reaches_threshold(importance: Iterable[float], threshold: float) -> bool:
    """Return True if the sum reaches the threshold; ten times 0.3 reaches 3 despite rounding."""
    return round(math.fsum(importance), 9) >= threshold


def ask_questions(
    chat: CompletionModel, prompts: Prompts, statements: Mapping[int, str], texts: Iterable[str]
) -> list[str]:
    """Ask for up to three questions that the numbered statements can answer.

    The key words of ``texts``, all memories, help the model to choose.
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
) -> list[CitedInsight]:
    """Infer at most five insights about a question; drop those that cite a number not in ``citable``."""
    if not statements:
        return []
    prompt = prompts.render(
        "reflection_insights",
        statements=_numbered(chat, statements),
        question=truncate(question, LONGEST),
    )
    insights = _ask(chat, prompts, prompt, parse_insights)
    condensed = parse_insights(condense(chat, prompts, format_insights(insights)))
    return [insight for insight in condensed if all(number in citable for number in insight[1])]


def condense(chat: CompletionModel, prompts: Prompts, insights: str) -> str:
    """Condense a list of insights to at most five.

    Raises:
        UnusableAnswer: no insight in the model's answer, also when asked again.
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
    messages = [Message("user", prompt)]
    answer = chat.complete(messages).text
    if parsed := parse(answer):
        return parsed
    messages += [Message("assistant", answer), Message("user", prompts.render("form_again"))]
    if parsed := parse(chat.complete(messages).text):
        return parsed
    raise UnusableAnswer("model_no_list", name=chat.name)


def _numbered(chat: CompletionModel, statements: Mapping[int, str]) -> str:
    """Write each statement on a numbered line, truncated so that all fit the context."""
    room = (chat.context_tokens - OVERHEAD) // max(1, len(statements))
    longest = max(SHORTEST, min(LONGEST, room))
    return "\n".join(f"{number}. {truncate(text, longest)}" for number, text in statements.items())


def parse_insights(insight_responses: str) -> list[CitedInsight]:
    """Parse the insights of an answer: lines of the form ``number. words [numbers]``, in order.

    The brackets at the end of a line are its evidence (``[1, 2]``, ``[1][2]``, full width). An
    unnumbered line is an insight if it has evidence; otherwise it continues the line before.
    """
    found: list[CitedInsight] = []
    open_line = False
    for line in insight_responses.splitlines():
        marker = _MARKER.match(_folded(line))
        words, evidence = _split(line[marker.end() :] if marker else line)
        if not words:
            open_line = open_line and bool(evidence)
            if open_line:
                found[-1] = (found[-1][0], evidence)
            open_line = False
        elif marker:
            found.append((words, evidence))
            open_line = not evidence
        elif open_line:
            found[-1] = (f"{found[-1][0]} {words}", evidence)
            open_line = not evidence
        elif evidence:
            found.append((words, evidence))
    return found


def format_insights(insights: Iterable[CitedInsight]) -> str:
    """Write insights in the form that :func:`parse_insights` parses."""
    return "\n".join(
        f"{number}. {words} {evidence or ''}".rstrip()
        for number, (words, evidence) in enumerate(insights, start=1)
    )


def parse_questions(answer: str, most: int) -> list[str]:
    """Parse the first questions of an answer: its numbered lines, or lines with a question mark."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    numbered = [line[found.end() :] for line in lines if (found := _MARKER.match(_folded(line)))]
    asked = numbered or [line for line in lines if line.rstrip("*_ ").endswith(("?", "？"))]
    questions = [question.strip("*_ \t") for question in asked]
    return [question for question in questions if question][:most]


def _split(line: str) -> tuple[str, list[int]]:
    """Return the words of a line and the numbers in the brackets at its end."""
    evidence = _EVIDENCE.search(_folded(line))
    words = line[: evidence.start()] if evidence else line
    words = words.replace("**", "").strip(" \t*_")
    if evidence is None:
        return words, []
    if words and words[-1] not in ".!?。！？…;；":
        words += line[evidence.start(2) :].strip(" \t*_")
    numbers: list[int] = []
    for one, other in _RANGE.findall(evidence[1]):
        first, last = int(one), int(other or one)
        is_range = first <= last <= first + _LONGEST_RANGE
        numbers += range(first, last + 1) if is_range else (first, last)
    return words, list(dict.fromkeys(numbers))


def _folded(line: str) -> str:
    """Replace full-width characters by plain ones without changing any position."""
    return "".join(
        plain if len(plain := unicodedata.normalize("NFKC", mark)) == 1 else mark for mark in line
    )


def condense_insights(insight_list: str, *, chat: ChatModel | None = None) -> str:
    """Condense lines of the form ``number. words [numbers]`` to at most five, with their evidence.

    ``chat`` is asked, else the model of the settings.

    Raises:
        ConfigurationError: no model is given and the settings say offline.
        UnusableAnswer, ModelError: as :func:`condense`.
    """
    return condense(chat_for_reflection(chat), prompts_for([insight_list]), insight_list)


def generate_insight(
    memory_stream: MemoryStream,
    context_window: int,
    threshold: float,
    *,
    chat: ChatModel | None = None,
    embedder: Embedder | None = None,
) -> tuple[list[str], list[list[CitedInsight]]] | None:
    """Generate questions about the last memories, and insights with evidence for each.

    Args:
        memory_stream: the stream to reflect on; retrieved memories count as accessed.
        context_window: number of last memories to consider, at least 1.
        threshold: sum of their importance that starts a reflection.
        chat: the model; else the stream's, else that of the settings.
        embedder: for the questions; else the stream's, else that of the settings.

    Returns:
        Up to three questions and a list of insights for each; evidence is 0-based positions in
        ``memory_stream.memories``. None below the threshold or without memories.

    Raises:
        ConfigurationError, UnusableAnswer, ModelError: as :func:`condense_insights`.
        ValueError: ``context_window`` is below 1.
    """
    if context_window < 1:
        msg = f"context_window must be 1 or more, not {context_window}"
        raise ValueError(msg)
    memories = memory_stream.memories
    recent = memories[-context_window:]
    model = chat if chat is not None else memory_stream.chat
    if not recent or not reaches_threshold((one.rated(model) for one in recent), threshold):
        return None
    model = chat_for_reflection(model)
    prompts = prompts_for(memory.description for memory in recent)
    first = len(memories) - len(recent)
    statements = {first + at: memory.description for at, memory in enumerate(recent)}
    texts = (memory.description for memory in memories)
    questions = ask_questions(model, prompts, statements, texts)
    insights = list[list[CitedInsight]]()
    for question in questions:
        now = memory_stream.now()
        query = Memory(question, now, now, "question", embedder=embedder)
        relevant = memory_stream.retrieve_memories(query, f"relevance > {RELEVANCE_THRESHOLD}")
        fed = {int(at): memories[at].description for at in sorted(relevant["pointer"])}
        insights.append(infer_insights(model, prompts, fed, question, range(len(memories))))
    return questions, insights


def generate_reflection(
    memory_stream: MemoryStream, insights_list: Sequence[Sequence[CitedInsight]]
) -> MemoryStream:
    """Add a :class:`Reflection` for each insight, in order, and return the same stream."""
    for insights in insights_list:
        for words, evidence in insights:
            now = memory_stream.now()
            memory_stream.add_memory(Reflection(words, now, now, evidence))
    return memory_stream

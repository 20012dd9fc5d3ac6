"""Remove a model's thinking, tool calls and template marks from its answer while it streams.

Each family of models writes its thinking between its own marks, at the beginning of an answer. Later
in an answer, the same letters are words: ``The tag <think> opens the reasoning``.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from siliconfriend.models.output import clean

THINKING: tuple[tuple[str, str], ...] = (
    ("<think>", "</think>"),  # DeepSeek, Qwen, GLM, MiniMax and most others
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[think]", "[/think]"),  # Magistral
    ("◁think▷", "◁/think▷"),  # Kimi
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),  # gpt-oss (harmony)
    ("<|channel|>commentary<|message|>", "<|channel|>final<|message|>"),
    ("<|channel>thought", "<channel|>"),  # Gemma
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|start_thinking|>", "<|end_thinking|>"),  # Command A
)
"""Marks around the thinking that begins an answer, in lower case, by family."""
TOOL_CALLS: tuple[tuple[str, str], ...] = (
    ("<tool_call>", "</tool_call>"),
    ("<function_call>", "</function_call>"),
    ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    ("[tool_calls]", "\0"),  # goes on to the end of the answer
)
"""Marks around a tool call that a server left in the words, at the start of a line."""
LEADS = (
    *("<|start|>assistant", "<|channel|>final<|message|>", "<|begin_of_solution|>"),
    *("<|start_response|>", "<answer>"),
)
"""Marks before the words of an answer."""
OPENED_BY_TEMPLATE = re.compile(r"deepseek-r1|qwq|nemotron|glm-z1|thinking", re.IGNORECASE)
"""Names of models whose template opens the thinking, so that the answer has only its end."""


def _pattern(form: str, marks: Iterable[str]) -> re.Pattern[str]:
    """Compile a pattern in which MARK matches one of the marks."""
    marked = form.replace("MARK", f"(?:{'|'.join(map(re.escape, marks))})")
    return re.compile(marked, re.IGNORECASE | re.MULTILINE)


_CLOSING_OF = dict((*THINKING, *TOOL_CALLS))
_TOOLS = tuple(opening for opening, _ in TOOL_CALLS)
_CLOSINGS = tuple(dict.fromkeys(closing for _, closing in THINKING))
_ALL = (*_CLOSING_OF, *_CLOSINGS, *LEADS)
_LEAD = _pattern(r"\A(?:\s|MARK)+", LEADS)
_OPENING = _pattern(r"\A(MARK)", _CLOSING_OF)
_TOOL_CALL = _pattern(r"^[^\S\n]*(MARK)", _TOOLS)
_CLOSING = _pattern("MARK", _CLOSINGS)
_UNOPENED = _pattern(
    r"""(?:^[^\S\n]*|(?<![`"'“‘«「『(（])(?<![^\S\n]))MARK|MARK(?=\n)""", _CLOSINGS[:5]
)
"""Matches the end of thinking that nothing opened, at the end of a sentence or of a line."""
_TRAILING = re.compile(
    r"(?:\s*(?:<[|｜][\w▁ ]{1,40}[|｜]>|</s>|<eos>|<end_of_turn>|</answer>|<turn\|>))+\s*\Z"
)
"""Matches marks of templates that end an answer."""
_UNFINISHED = _pattern(
    r"(?:MARK|(?:<[^<>\n]{0,44}>?\s*)+|[\ud800-\udbff])\Z",
    {mark[:size]: None for mark in _ALL for size in range(len(mark), 0, -1)},
)
"""Matches the end of a text that may become a mark, or half of a character.

A whole mark waits too, since the next character shows whether it is meant.
"""
_LONGEST_HELD = 200


class ThoughtAloud(Exception):
    """Words that were passed on turned out to be thinking that nothing had opened."""


def opens_thinking_by_template(model: str) -> bool:
    """Return True for a model whose answers begin in the middle of its thinking."""
    return OPENED_BY_TEMPLATE.search(model) is not None


def without_thinking(
    pieces: Iterable[str], is_opened: Callable[[], bool] = lambda: False
) -> Iterator[str]:
    """Pass on the words of a streamed answer, without thinking, tool calls and template marks.

    Args:
        pieces: the answer as it comes.
        is_opened: called at the first piece: True if the template opened the thinking, so that
            everything until its end is held back.

    Raises:
        ThoughtAloud: thinking ended that nothing had opened, and words of it were passed on.
    """
    answer: _Answer | None = None
    for piece in filter(None, pieces):
        answer = answer or _Answer(is_held=is_opened())
        if words := answer.read(piece):
            yield words
    if answer and (words := answer.end()):
        yield words


class _Answer:
    """The state of one answer: what is held back, and where in the answer the reader is."""

    def __init__(self, *, is_held: bool) -> None:
        self._is_held = is_held
        self._held = ""
        self._closing = ""
        """The mark that ends what is skipped now."""
        self._has_begun = False
        self._line = ""
        """The first word character and the last character of the current line so far."""

    def read(self, piece: str) -> str:
        """Read a piece; return the words that it completes."""
        self._held += piece
        if self._is_held:
            end = _CLOSING.search(self._held)
            if end is None:
                return ""
            self._held, self._is_held = self._held[end.end() :], False
        return self._words(is_last=False)

    def end(self) -> str:
        """Return the words that were held back until the end."""
        return self._words(is_last=True)

    def _words(self, *, is_last: bool) -> str:
        said = ""
        while self._skip():
            opening = self._find_block(is_last=is_last)
            if opening:
                start, end = (at - len(self._line) for at in opening.span(1))
                words, self._held = self._held[:start], self._held[end:]
                self._closing = _CLOSING_OF[opening[1].lower()]
            elif is_last:
                words, self._held = _TRAILING.sub("", self._held), ""
            else:
                waiting = _UNFINISHED.search(self._held, len(self._held) - _LONGEST_HELD)
                end = waiting.start() if waiting else len(self._held)
                words, self._held = self._held[:end], self._held[end:]
            words = clean(words) if self._has_begun else clean(words).lstrip()
            self._has_begun = self._has_begun or bool(words)
            line = (self._line + words).rpartition("\n")[2]
            self._line = line.lstrip()[:1] + line[-1:]
            said += words
            if not opening:
                break
        return said

    def _skip(self) -> bool:
        """Drop what is skipped up to its closing mark; return False while that has not come."""
        at = self._held.lower().find(self._closing)
        if at < 0:
            self._held = self._held[-len(self._closing) :]
            return False
        self._held, self._closing = self._held[at + len(self._closing) :], ""
        return True

    def _find_block(self, *, is_last: bool) -> re.Match[str] | None:
        """Drop what comes before the words; return the mark of the first block to skip."""
        if not self._has_begun:
            self._held = _LEAD.sub("", self._held)
            if opening := _OPENING.match(self._held):
                return opening
        shown = self._line + self._held
        end = _UNOPENED.search(shown)
        if end and len(self._line) < end.end() < len(shown) + is_last:
            if self._has_begun:
                raise ThoughtAloud
            self._held = self._held[end.end() :]
            return self._find_block(is_last=is_last)
        return _TOOL_CALL.search(shown)

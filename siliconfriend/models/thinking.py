"""Remove a model's thinking, tool calls and template marks from its answer while it streams.

Each family of models writes its thinking between marks of its own, and only at the beginning of an
answer. The same letters later in an answer are words: ``The tag <think> opens the reasoning``.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

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
"""Marks around a tool call that a server left in the words; it stands at the start of a line."""
LEADS = (
    *("<|start|>assistant", "<|channel|>final<|message|>", "<|begin_of_solution|>"),
    *("<|start_response|>", "<answer>"),
)
"""Marks before the words of an answer."""
OPENED_BY_TEMPLATE = re.compile(r"deepseek-r1|qwq|nemotron|glm-z1|thinking", re.IGNORECASE)
"""Names of models whose template opens the thinking, so that the answer only holds its end."""

_CLOSINGS = tuple(dict.fromkeys(closing for _, closing in THINKING))
_OPENINGS = dict((*THINKING, *TOOL_CALLS))
_TRAILING = re.compile(
    r"(?:\s*(?:<[|｜][\w▁ ]{1,40}[|｜]>|</s>|<eos>|<end_of_turn>|</answer>|<turn\|>))+\s*\Z"
)
"""Matches marks of templates that end an answer."""
_MAY_TRAIL = re.compile(r"(?:<[^<>\n]{0,44}>?\s*)+\Z")
"""Matches the end of a text that may turn out to be such marks."""
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
        is_opened: asked at the first piece: True where the template has opened the thinking, so
            that everything until its end is held back.

    Raises:
        ThoughtAloud: thinking ended that nothing had opened, and words of it were passed on.
    """
    answer = _Answer()
    first = True
    for piece in filter(None, pieces):
        if first:
            answer.is_held, first = is_opened(), False
        if words := answer.read(piece):
            yield words
    if words := answer.end():
        yield words


class _Answer:
    """The state of one answer: what is held back, and where in the answer the reader is."""

    def __init__(self) -> None:
        self.is_held = False
        self._held = ""
        self._closing = ""
        """The mark that ends what is skipped now."""
        self._has_begun = False
        self._line = ""
        """The words of the current line so far."""

    def read(self, piece: str) -> str:
        """Read a piece; return the words that it completes."""
        self._held += piece
        if self.is_held:
            return self._release()
        return self._words(is_last=False)

    def end(self) -> str:
        """Return the words that were held back until the end."""
        self.is_held = False
        return self._words(is_last=True)

    def _release(self) -> str:
        """Drop the thinking that the template opened, once it has ended."""
        ends = [
            at + len(closing)
            for closing in _CLOSINGS
            if (at := self._held.lower().find(closing)) >= 0
        ]
        if not ends:
            return ""
        self._held, self.is_held = self._held[min(ends) :], False
        return self._words(is_last=False)

    def _words(self, *, is_last: bool) -> str:
        said = ""
        while True:
            if self._closing:
                if not self._skip():
                    return said
                continue
            if not self._has_begun:
                self._held = self._held.lstrip()
                if self._drops_lead():
                    continue
                if not is_last and _may_begin(self._held, (*_OPENINGS, *LEADS)):
                    return said
            taken, is_open = self._take(is_last=is_last)
            said += taken
            if not is_open:
                return said

    def _skip(self) -> bool:
        """Drop what is skipped up to its closing mark; return False while that has not come."""
        at = self._held.lower().find(self._closing)
        if at < 0:
            self._held = self._held[-len(self._closing) :]
            return False
        self._held = self._held[at + len(self._closing) :]
        self._closing = ""
        return True

    def _drops_lead(self) -> bool:
        """Drop an opening or leading mark at the beginning; return True if there was one."""
        lower = self._held.lower()
        for opening, closing in _OPENINGS.items():
            if lower.startswith(opening):
                self._held, self._closing = self._held[len(opening) :], closing
                return True
        for lead in LEADS:
            if lower.startswith(lead):
                self._held = self._held[len(lead) :]
                return True
        return False

    def _take(self, *, is_last: bool) -> tuple[str, bool]:
        """Take words that are surely part of the answer; also return True if a block begins."""
        text = self._held
        self._check_unopened(text, is_last=is_last)
        text = self._held
        found = _tool_call(self._line, text)
        if found is not None:
            at, opening = found
            words, self._held = text[:at], text[at + len(opening) :]
            self._closing = _OPENINGS[opening]
            return self._pass(words), True
        if is_last:
            words, self._held = _TRAILING.sub("", text), ""
            return self._pass(words), False
        end = len(text) - _unfinished(text)
        words, self._held = text[:end], text[end:]
        return self._pass(words), False

    def _check_unopened(self, text: str, *, is_last: bool) -> None:
        """Find the end of thinking that nothing opened: its mark ends a line or a sentence."""
        lower = text.lower()
        for closing in _CLOSINGS[:5]:
            at = lower.find(closing)
            if at < 0:
                continue
            before = self._line + text[:at]
            after = text[at + len(closing) :]
            if not after and not is_last:
                continue
            is_alone = not before.strip() or before[-1] == "\n" or after.startswith("\n")
            if not (is_alone or not (before[-1].isspace() or before[-1] in "`\"'“‘«「『(（")):
                continue
            if self._has_begun:
                raise ThoughtAloud
            self._held = after.lstrip()
            return

    def _pass(self, words: str) -> str:
        words = clean(words)
        if not self._has_begun:
            words = words.lstrip()
        if words:
            self._has_begun = True
            self._line = (self._line + words).rpartition("\n")[2][-_LONGEST_HELD:]
        return words


def _tool_call(line: str, text: str) -> tuple[int, str] | None:
    """Find the first tool call that starts a line; return its place and its opening mark."""
    lower = text.lower()
    for opening, _ in TOOL_CALLS:
        at = lower.find(opening)
        if at >= 0 and not (line + text[:at]).rpartition("\n")[2].strip():
            return at, opening
    return None


def _may_begin(text: str, marks: Iterable[str]) -> bool:
    """Return True if the text may yet become one of the marks."""
    lower = text.lower()
    return not lower or any(mark.startswith(lower) for mark in marks)


def _unfinished(text: str) -> int:
    """Count the characters at the end that may become a mark, or half of a character."""
    found = _MAY_TRAIL.search(text[-_LONGEST_HELD:])
    length = len(found.group()) if found else 0
    for mark in chain(_CLOSINGS, (opening for opening, _ in TOOL_CALLS)):
        # A closing mark waits for the character after it, which tells whether it is meant.
        tail = text[-len(mark) :].lower()
        length = max(
            length, next((n for n in range(len(tail), 0, -1) if mark.startswith(tail[-n:])), 0)
        )
    return max(length, 1 if text and "\ud800" <= text[-1] <= "\udbff" else 0)

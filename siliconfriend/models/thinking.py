"""Remove a model's thinking, tool calls and template marks from its answer while it streams.

Each family of models writes its thinking between its own marks, at the beginning of an answer. Later
in an answer, within a line or in a code block, the same letters are words.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files

from siliconfriend.models.output import clean

_FAMILIES = tomllib.loads(files(__package__).joinpath("families.toml").read_text(encoding="utf-8"))
OPENED_BY_TEMPLATE = re.compile(r"deepseek-r1|qwq|nemotron|glm-z1|thinking", re.IGNORECASE)
"""Names of models whose template opens the thinking, so that the answer has only its end."""


_QUOTED = r"""(?<![`"'“‘«「『(（])(?<![^\S\n])"""
"""Matches where no quotation mark, bracket or space comes before."""


def _pattern(form: str, marks: Iterable[str] = ()) -> re.Pattern[str]:
    """Compile a pattern in which MARK matches one of the marks, and END a mark that ends a turn."""
    form = form.replace("END", r"(?:<[|｜][^<>\n]{1,40}[|｜]>|</s>|<eos>|<end_of_turn>|<turn\|>)")
    longest_first = sorted(marks, key=len, reverse=True)
    marked = form.replace("MARK", f"(?:{'|'.join(map(re.escape, longest_first))})")
    return re.compile(marked, re.IGNORECASE | re.MULTILINE)


def _prefixes(marks: Iterable[str]) -> set[str]:
    return {mark[:size] for mark in marks for size in range(1, len(mark) + 1)}


THINKING: dict[str, str] = _FAMILIES["thinking"]
"""Marks around the thinking that begins an answer, in lower case, by family."""
_BARE: dict[str, str] = _FAMILIES["bare_thinking"]
_MARKED = THINKING | {mark: end or "\0" for mark, end in _FAMILIES["tool_calls"].items()}
_CLOSING_OF = _MARKED | _BARE
_OPENING_OF = {"</s>": "<s>", "</answer>": "<answer>"} | {
    end: mark for mark, end in THINKING.items()
}
_ENDS = {*THINKING.values()} - {"<|end_message|>"}
_LEADS, _TRAILERS, _TURNS = (_FAMILIES["marks"][name] for name in ("leads", "trailers", "turns"))
_LEAD = _pattern(r"\A(?:\s|MARK)+", _LEADS)
_OPENING = _pattern(rf"\A(MARK|(?-i:{'|'.join(_BARE)})(?=(?-i:[A-Z])))", _MARKED)
_CLOSING = _pattern("MARK", _ENDS)
_EVENTS = {
    "end": _pattern(rf"(?:^[^\S\n]*|{_QUOTED})(?P<mark>MARK)|(?P<last>MARK)(?=\n)", _ENDS),
    "block": _pattern(r"^[^\S\n]*(?P<mark>MARK)", _MARKED),
    "turn": _pattern(
        rf"(?:{_QUOTED}|^[^\S\n]*)(?P<mark>END)+(?:[^\S\n]*\n|(?=MARK))|^[^\S\n]*MARK"
        rf"|{_QUOTED}(?=<)MARK(?:user|assistant|model|system)",
        _TURNS,
    ),
}
"""What may interrupt the words: the end of thinking that nothing opened, at the end of a sentence or
of a line; a block to skip; and the next turn, behind the marks that end this one."""
_TRAILING = _pattern(r"(?:\s*(?P<mark>END|MARK|<\|close\|>\w+<\|sep\|>))+\s*\Z", _TRAILERS)
_FENCE = re.compile(r"[^\S\n]*(?:```|~~~)")
_BEGINNINGS = _prefixes((*_CLOSING_OF, *_LEADS))
_UNFINISHED = _pattern(
    r"(?:(?:(?:MARK|<[^<>\n]{0,44}(?:>\w{0,12})?)\s*)+|[\ud800-\udbff])\Z",
    _prefixes(mark for mark in (*_MARKED, *_ENDS, *_TRAILERS, "[inst]") if mark[0] in "[◁"),
)
"""Matches the end of a text that may become a mark, or half of a character.

A whole mark waits too, since the next character shows whether it is meant.
"""
_LONGEST_HELD = 200


class ThoughtAloud(Exception):
    """Words that were passed on turned out to be thinking that nothing had opened."""


def without_thinking(
    pieces: Iterable[str],
    is_opened: Callable[[], bool] = lambda: False,
    on_next_turn: Callable[[], object] = lambda: None,
) -> Iterator[str]:
    """Pass on the words of a streamed answer, without thinking, tool calls and template marks.

    Args:
        pieces: the answer as it comes.
        is_opened: called at the first piece: True if the template opened the thinking, so that
            everything until its end is held back.
        on_next_turn: called where the model goes on with the next turn, which ends the words.

    Raises:
        ThoughtAloud: thinking ended that nothing had opened, and words of it were passed on.
    """
    answer: _Answer | None = None
    for piece in filter(None, pieces):
        answer = answer or _Answer(is_held=is_opened())
        if words := answer.read(piece):
            yield words
        if answer.is_over:
            on_next_turn()
            return
    if answer and (words := answer.end()):
        yield words


class _Answer:
    """The state of one answer: what is held back, and where in the answer the reader is.

    Attributes:
        is_over: the model went on with the next turn.
    """

    def __init__(self, *, is_held: bool) -> None:
        self.is_over = self._is_passed_on = False
        self._is_held = is_held
        self._held = self._closing = ""
        """``_closing`` is the mark that ends what is skipped now."""
        self._skipped: set[str] = set()
        """Opening marks of the blocks skipped so far."""
        self._begin()

    def _begin(self) -> None:
        self._has_begun = self._is_code = False
        self._shown: set[str] = set()
        """Opening marks among the words: their ends are words as well."""
        self._line = ""
        """The first characters and the last one of the current line so far."""

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
        while self._held and not self.is_over:
            if self._closing:
                if not self._skip():
                    break
            elif not self._has_begun and self._is_beginning(is_last=is_last):
                if not self._closing:
                    break
            elif event := self._event(is_last=is_last):
                kind, start, end, mark = event
                words, self._held = self._held[:start], self._held[end:]
                if kind == "end":
                    if self._is_passed_on:
                        raise ThoughtAloud
                    said = ""
                    self._begin()
                    continue
                said += self._pass(words)
                self.is_over = kind == "turn"
                if kind == "block":
                    self._open(mark)
            else:
                end = self._held.find("\n") + 1
                words = self._held[:end] if end else self._finished(is_last=is_last)
                self._held = "" if is_last and not end else self._held[len(words) :]
                said += self._pass(words)
                if not end:
                    break
        self._is_passed_on = self._is_passed_on or bool(said)
        return said

    def _open(self, mark: str) -> None:
        """Begin to skip a block; its opening mark is dropped already."""
        self._closing = _CLOSING_OF[mark]
        self._skipped.add(mark)

    def _skip(self) -> bool:
        """Drop what is skipped up to its closing mark; return False while that has not come."""
        at = self._held.lower().find(self._closing)
        if at < 0:
            self._held = self._held[-len(self._closing) :]
            return False
        self._held, self._closing = self._held[at + len(self._closing) :], ""
        return True

    def _is_beginning(self, *, is_last: bool) -> bool:
        """Drop marks before the words; return True where thinking opens, or no word has come yet."""
        held = _LEAD.sub("", self._held)
        if opening := _OPENING.match(held):
            self._held = held[opening.end() :]
            self._open(opening[1].lower())
            return True
        if held.lower() in _BEGINNINGS and not is_last:
            return True
        self._held = held
        return not held

    def _event(self, *, is_last: bool) -> tuple[str, int, int, str] | None:
        """Find what first interrupts the words of the present line; in code nothing does.

        Returns:
            the kind, where it starts and ends in what is held, and its mark.
        """
        line, end, _ = self._held.partition("\n")
        shown = self._line + line + end
        if self._is_code or _FENCE.match(shown):
            return None
        events = []
        for kind, pattern in _EVENTS.items():
            for found in pattern.finditer(shown):
                mark = (found["mark"] or found[0]).strip().lower()
                # A mark at the end waits, since the next character shows whether it is quoted.
                is_new = len(self._line) < found.end() < len(shown) + (is_last or bool(end))
                if is_new and self._is_meant(kind, mark, shown[: found.start()].lower()):
                    start, stop = (max(at - len(self._line), 0) for at in found.span())
                    events.append((start, kind, stop, mark))
                    break
        if not events:
            return None
        start, kind, stop, mark = min(events)
        return kind, start, stop, mark

    def _is_meant(self, kind: str, mark: str, before: str) -> bool:
        """Return False for a mark that is a word, or that only closes one."""
        if kind == "block":
            return mark in self._skipped or mark not in _OPENING_OF.values()
        opening = _OPENING_OF.get(mark)
        return opening is None or not (opening in self._shown or opening in before)

    def _finished(self, *, is_last: bool) -> str:
        """Return what can be passed on of a line without its end: no mark that is meant as one."""
        start = max(len(self._held) - _LONGEST_HELD, 0)
        waiting = (_TRAILING if is_last else _UNFINISHED).search(self._held, start)
        if is_last and waiting:
            mark = waiting["mark"].lower()
            waiting = waiting if self._is_meant("turn", mark, self._held.lower()) else None
        return self._held[: waiting.start()] if waiting else self._held

    def _pass(self, words: str) -> str:
        """Clean words that are passed on, and note what they say about what follows."""
        words = clean(words) if self._has_begun else clean(words).lstrip()
        self._has_begun = self._has_begun or bool(words)
        lower, line = words.lower(), self._line + words
        self._shown |= {mark for mark in _OPENING_OF.values() if mark in lower}
        if line.endswith("\n"):
            self._is_code = self._is_code != bool(_FENCE.match(line))
            line = ""
        start = line.lstrip()
        self._line = start if len(start) <= 4 else f"{start[:3]}\0{start[-1]}"
        return words

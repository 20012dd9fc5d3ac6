"""Remove labels of speakers that a model writes into its answer, while it streams.

A small model may begin with a name and a colon, or go on with the next message of the person and its
own answer to it. Dialogues, lists of names and code stay as written.
"""

import re
from collections.abc import Callable, Collection, Generator, Iterable

MODEL_ROLES = ("Assistant", "ASSISTANT", "助手", "AI助手")
"""Names that a model gives itself."""
PERSON_ROLES = ("User", "USER", "Human", "HUMAN", "用户")
"""Names that a model gives the person."""
LONGEST_DAY = 56
"""Most characters in brackets before a name."""

_ANY_LABEL = re.compile(r"\s*[-*•]?\s*\**[^\W\d_][\w .'-]{0,30}\**\s*[:：]")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_TALK = re.compile(
    r"""(?![*_(（\[【#]+.*[*_)）\]】]\Z).*[.!?。！？…~～)）"”'’」』\U0001f000-\U0001faff☀-➿][\s*_️]*\Z"""
)
"""Matches a line of talk. What introduces a quotation ends otherwise (a heading, a colon), or stands
in brackets or asterisks (a scene)."""


def unless_named(names: Iterable[str], message: str) -> list[str]:
    """Return the names that a message does not contain: who asks for a scene with them gets it."""
    said = message.casefold()
    return [name for name in names if name.casefold() not in said]


def without_labels(
    pieces: Iterable[str],
    own: Collection[str],
    others: Collection[str],
    on_next_turn: Callable[[], object] = lambda: None,
) -> Generator[str, None, None]:
    """Pass an answer on without a label of ``own`` at its beginning, up to a turn of the ``others``.

    A line that begins with a name of the ``others`` ends the answer, and ``on_next_turn`` is called,
    unless it is quoted: in a code block, below a heading or another introduction, or where lines
    before it are labelled too.
    """
    first, next_turn = _label_of(own), _label_of(others)
    line, buffer, may_be_label, has_begun, is_quoted, is_code = "", "", True, False, False, False

    def ends(beginning: str) -> bool:
        is_free = has_begun and not (is_quoted or is_code)
        return is_free and next_turn.match(beginning) is not None

    for piece in pieces:
        buffer += piece
        while buffer:
            if may_be_label:
                names = {*others} if has_begun else {*own, *others}
                found = first.match(buffer)
                if found.end() == len(buffer) if found else _may_become_label(buffer, names):
                    break
                if ends(buffer):
                    on_next_turn()
                    return
                if found and not has_begun:
                    buffer = buffer[found.end() :]
                may_be_label = False
            words, mark, buffer = buffer.partition("\n")
            line += words
            has_begun = has_begun or bool(words.strip())
            may_be_label = bool(mark)
            if mark and line.strip():
                is_code = is_code != bool(_FENCE.match(line))
                is_quoted = is_quoted or bool(_ANY_LABEL.match(line))
                is_quoted = is_quoted or not (is_code or _TALK.match(line.strip()))
                line = ""
            yield words + mark
    if buffer and ends(buffer):
        on_next_turn()
    elif buffer:
        yield buffer


def _label_of(names: Iterable[str]) -> re.Pattern[str]:
    """Compile a pattern of a line's beginning: a day in brackets, one of the names and a colon."""
    any_name = "|".join(map(re.escape, filter(None, names))) or "(?!)"
    return re.compile(rf"\s*\**(?:\[[^\[\]\n]*\]\s*)?(?:{any_name})\**\s*[:：]\**\s*")


def _may_become_label(buffer: str, names: Iterable[str]) -> bool:
    words = buffer.lstrip(" \n\t*")
    if words.startswith("["):
        inside, mark, words = words.partition("]")
        if not mark:
            return len(inside) <= LONGEST_DAY and "\n" not in inside
        words = words.lstrip(" *")
    bare = words.rstrip(" *")
    return not words or any(name.startswith(bare) for name in names if name)

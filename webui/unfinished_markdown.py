"""Markdown that is still being written, made fit to be shown.

Half of a sign is no sign: a reply would show asterisks, brackets and bars for a moment and then
draw itself anew. So what is begun at its end is closed, or waits until it is known what it is.
What was shown once stays as it was; only more comes after it.
"""

from __future__ import annotations

import re

LONGEST_WAIT = 300
"""Characters after which a bracket is taken for what it is, though it was never closed."""

_FENCE = re.compile(r"^\s*(?:[-*+]\s+|\d+[.)]\s+|>\s?)*(`{3,}|~{3,})")
_ONLY_SIGNS = re.compile(r"[\s>#*+\-=_`~|:]*|[\s>]*\d+[.)]?\s*")
_ROW = re.compile(r"\s*\|")
_BLOCK = re.compile(r"\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>|\|)")
_HALF = re.compile(r"(?:\\|&#?\w{0,10}|<[^\s<>]*|!)\Z")
"""A backslash, an entity, an address in angle brackets or a picture, of which the rest is to come."""
_SIGN = re.compile(r"\\.|`+|\*+|_+|~+|\[", re.DOTALL)


def presentable(words: str) -> str:
    """Return as much of an unfinished reply as can be shown for good, with its signs closed."""
    lines = words.split("\n")
    if (begin := _open_fence(lines)) is not None:
        if begin == len(lines) - 1:
            return "\n".join(lines[:-1])
        return "\n".join(lines[:-1] if _ONLY_SIGNS.fullmatch(lines[-1]) else lines)
    if _open_fence(lines[:-1]) is not None:
        return words
    if _ONLY_SIGNS.fullmatch(lines[-1]):
        lines.pop()
    start = _last_paragraph(lines)
    end = len(lines) - _rows_that_wait(lines[start:])
    return "\n".join([*lines[:start], _closed("\n".join(lines[start:end]))])


def _open_fence(lines: list[str]) -> int | None:
    """Return the line that began the code which has not ended yet."""
    begin, fence = None, ""
    for place, line in enumerate(lines):
        found = _FENCE.match(line)
        if begin is None and found:
            begin, fence = place, found[1]
        elif (
            begin is not None and found and line.strip().startswith(fence) and not line.strip(" `~")
        ):
            begin = None
    return begin


def _last_paragraph(lines: list[str]) -> int:
    """Return the line at which the last paragraph, item or table begins."""
    for place in range(len(lines) - 1, -1, -1):
        if not lines[place].strip():
            return place + 1
        if _BLOCK.match(lines[place]) and not _ROW.match(lines[place]):
            return place
    return 0


def _rows_that_wait(lines: list[str]) -> int:
    """Count the rows at the end that may become a table, which the line below the first decides."""
    rows = 0
    while rows < len(lines) and _ROW.match(lines[-1 - rows]):
        rows += 1
    return rows if rows < 3 else 0


def _closed(words: str) -> str:
    """Return a paragraph without signs that may still grow, and with those closed that are open."""
    words = _HALF.sub("", words.rstrip())
    begun: list[str] = []
    place = 0
    while found := _SIGN.search(words, place):
        sign, start, place = found.group(), found.start(), found.end()
        if sign[0] == "`":
            end = re.compile(rf"(?<!`){sign}(?!`)").search(words, place)
            if end is None:
                return _with_ends(words.rstrip("`"), [*begun, sign], place)
            place = end.end()
        elif sign == "[":
            after = _after_brackets(words, place)
            if after is None and len(words) - start < LONGEST_WAIT:
                return _with_ends(words[:start].removesuffix("!"), begun, 0)
            place = after or place
        elif sign[0] != "\\":
            if place == len(words):
                return _with_ends(words[:start], begun, 0)
            _begin_or_end(begun, sign, words[start - 1 : start], words[place])
    return _with_ends(words, begun, 0)


def _with_ends(words: str, begun: list[str], least: int) -> str:
    """Close what is begun; of code that holds nothing yet, at ``least``, not even the beginning."""
    if begun and begun[-1][0] == "`" and not words[least:].strip():
        begun, words = begun[:-1], words[: least - len(begun[-1])]
    return words.rstrip() + "".join(reversed(begun))


def _after_brackets(words: str, place: int) -> int | None:
    """Return where reading goes on after an opening bracket; None while that is not known."""
    end = _closing(words, place, "[", "]")
    if end is None or end == len(words):
        return None
    return _closing(words, end + 1, "(", ")") if words[end] == "(" else place


def _closing(words: str, place: int, opening: str, closing: str) -> int | None:
    """Return where the bracket that is open at this place has ended."""
    depth = 1
    while place < len(words):
        if words[place] == "\\":
            place += 1
        elif words[place] == closing:
            depth -= 1
        elif words[place] == opening:
            depth += 1
        place += 1
        if depth == 0:
            return place
    return None


def _begin_or_end(begun: list[str], sign: str, before: str, after: str) -> None:
    """Note that emphasis begins or ends with a sign, if it does."""
    if sign[0] == "~" and len(sign) != 2:
        return
    left = len(sign)
    if before.strip():
        while left and begun and begun[-1][0] == sign[0]:
            taken = min(left, len(begun[-1]))
            left -= taken
            rest = begun.pop()[taken:]
            begun += [rest] if rest else []
    is_inside_word = before.isalnum() and (before.isascii() or sign[0] == "_")
    if left and after.strip() and not is_inside_word:
        begun.append(sign[0] * left)

"""Complete the Markdown of an unfinished reply, so that it can be shown.

Marks that were begun are closed or held back; what was shown once stays, and only more follows.
"""

from __future__ import annotations

import re

LONGEST_WAIT = 300
"""Characters after which a bracket is taken for what it is, though it was never closed."""

_FENCE = re.compile(r"^\s*(?:[-*+]\s+|\d+[.)]\s+|>\s?)*(`{3,}|~{3,})")
_ONLY_SIGNS = re.compile(r"[\s>#*+\-=_`~|:]*|[\s>]*\d+[.)]?\s*")
_ROW = re.compile(r"\s*\|")
_BLOCK = re.compile(r"\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>)")
_HALF = re.compile(r"(?:\\|&#?\w{0,10}|<[^\s<>]*|!)\Z")
"""A backslash, an entity, an address in angle brackets or a picture, of which the rest is to come."""
_WHOLE = re.compile(
    r"\\.|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|\[[^\[\]]*\](?:\([^()]*\)|(?=[^(]))", re.DOTALL
)
"""An escape, code in a line, a link, and brackets that are none."""


def presentable(words: str) -> str:
    """Return as much of an unfinished reply as can be shown for good, with its signs closed."""
    lines = words.split("\n")
    if _ONLY_SIGNS.fullmatch(lines[-1]):
        lines.pop()
    if _is_in_code(lines):
        return "\n".join(lines)
    start = next((at + 1 for at in reversed(range(len(lines))) if not lines[at].strip()), 0)
    start = max([start, *(at for at in range(start, len(lines)) if _BLOCK.match(lines[at]))])
    rows = 0  # that may become a table, which the line below the first decides
    while rows < len(lines) - start and _ROW.match(lines[-1 - rows]):
        rows += 1
    end = len(lines) - (rows if rows < 3 else 0)
    return "\n".join([*lines[:start], _closed("\n".join(lines[start:end]))])


def _is_in_code(lines: list[str]) -> bool:
    fence = ""
    for line in lines:
        if found := _FENCE.match(line):
            is_end = line.strip().startswith(fence) and not line.strip(" `~")
            fence = ("" if is_end else fence) if fence else found[1]
    return bool(fence)


def _closed(words: str) -> str:
    """Return a paragraph without signs that may still grow, and with those closed that are open."""
    words = _HALF.sub("", words.rstrip())
    signs, before = words, ""  # the words with a NUL for each character that is no open sign
    while signs != before:
        signs, before = _WHOLE.sub(lambda found: "\0" * len(found[0]), signs), signs
    code = ""
    for found in re.finditer(r"`+|!?\[", signs):
        start, end = found.span()
        if found[0][0] == "`" and signs[end:].strip(" \n`"):
            code, words = found[0], words.rstrip("`")
            signs = signs[:start] + "\0" * (len(words) - start)
        elif found[0][0] == "`" or len(signs) - start < LONGEST_WAIT:
            words, signs = words[:start], signs[:start]
        else:
            continue
        break
    begun: list[str] = []
    for found in re.finditer(r"\*+|_+|~+", signs):
        if found.end() == len(signs):
            words = words[: found.start()]
        else:
            _begin_or_end(begun, found[0], signs[: found.start()][-1:], signs[found.end()])
    return words.rstrip() + code + "".join(reversed(begun))


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

"""The Markdown of notes: the one escape for words in them, front matter, links, file names."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping

_MARKS = re.compile(r"[\\`*_{}\[\]<>#|~$=^%&]|(?<=:):")
"""Characters that can begin or end Markdown anywhere in a line: links, tags, HTML, maths,
comments, and the ``::`` of inline fields."""
_LINE_START = re.compile(r"(?:[-+]|\d+(?=[.)]))")
_STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_UNSAFE = re.compile(
    r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*#^\[\]\u200b-\u200f\u202a-\u202e\u2066-\u2069]+'
)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
LONGEST_NAME = 60
"""Characters; at four bytes each a file system takes them."""


def escape_inline(words: object) -> str:
    """The words on one line, in which nothing is a mark of Markdown."""
    line = _STEERS.sub("", " ".join(str(words).split()))
    line = _MARKS.sub(r"\\\g<0>", line)
    start = _LINE_START.match(line)
    if start is None:
        return line
    # A number is a list's only by the mark behind it; before a dash the mark stands itself.
    at = start.end() if line[0].isdigit() else 0
    return f"{line[:at]}\\{line[at:]}"


def quote(words: str) -> str:
    """The words as a quotation, line by line; empty for none."""
    lines = [escape_inline(line) for line in words.strip().splitlines()]
    # Two blanks at the end keep a line break that was in the words.
    return "\n".join(f"> {line}  " if line else ">" for line in lines).rstrip()


def front_matter(fields: Mapping[str, object]) -> str:
    """The block of properties at the head of a note; texts and lists of texts as YAML."""
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    return "\n".join(["---", *lines, "---", ""])


def link(path: str, title: str) -> str:
    """A link to another note of the same vault."""
    return f"[[{path.removesuffix('.md')}|{_plain(title)}]]"


def _plain(words: str) -> str:
    """The words without what would end a link."""
    return " ".join(_UNSAFE.sub(" ", _STEERS.sub("", words)).split())


def file_names(titles: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """A file name, without its ending, for each title: safe on every system and in a link.

    Names that differ in letters' case alone would be one file on some systems: all but the
    first get a mark of their own, as does a name that had to be changed.
    """
    used = {name.casefold() for name in taken}
    found: dict[str, str] = {}
    for title in sorted(set(titles)):
        name = _safe(title)
        if name != title or name.casefold() in used:
            name = f"{name}-{hashlib.sha256(title.encode('utf-8', 'replace')).hexdigest()[:6]}"
        used.add(name.casefold())
        found[title] = name
    return found


def _safe(title: str) -> str:
    name = _UNSAFE.sub("-", unicodedata.normalize("NFC", title))
    name = " ".join(name.split())[:LONGEST_NAME].strip(" .-")
    return f"{name}-" if not name or _RESERVED.fullmatch(name) else name

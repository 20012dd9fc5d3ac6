"""Split texts of both languages into sentences, and choose those that fit a length."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from siliconfriend.language.characters import HAN
from siliconfriend.language.words import word_set
from siliconfriend.texts import Language

LONGEST_QUOTE = 240
"""Characters of a quotation before it is cut to the sentences that matter."""

CLOSING = "”’」』）"
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|No|a\.m|p\.m|e\.g|i\.e|[A-Z])\.$")
_LIST_NUMBER = re.compile(r"(?:^|[:：\n])\s*\(?\d{1,2}\.$")
_HEADING = re.compile(r"#|\*\*[^*]+\*\*\W*$|.*[:：]\W*$", re.DOTALL)
"""Matches a sentence that only announces what follows: a heading, or one that ends with a colon."""
_LONGEST_ABBREVIATION = 8
"""Characters before the end of a sentence that may hold an abbreviation."""
_END = re.compile(
    rf"(?<=[.!?])[\"')\]{CLOSING}]*\s+"
    rf"|(?<=[^\d\s][.!?])(?=[{HAN}])|(?<=[!?])(?=[A-Z])"
    rf"|(?<=[。！？…])(?![。！？…!?{CLOSING}])|(?<=[。！？…][{CLOSING}])"
    r"|\n+"
)
CLAUSE = re.compile(
    r"(?:[,;](?!\d)|[，；、])\s*|\s+(?:and|but|so)\s+(?=(?:do|did|what|which|where|when|who|how)\b)"
)
"""Where a clause ends within a sentence."""

_ANY_MARK = re.compile(r"(?<=[.!?。！？…])\s*|\n+")
_MARKS_ONLY = re.compile(rf"[\s.!?。！？…\"'()“‘「『（{CLOSING}]*")
_NO_SPACE_AFTER = re.compile(rf"[。！？…][{CLOSING}]*$")


def split_sentences(text: str) -> list[str]:
    """Split a text into trimmed sentences with their marks.

    An abbreviation ("Dr."), a number ("3.5", "1." in a list) or an address ("a.org") ends no
    sentence; the end of a line does. A piece of marks alone is dropped.
    """
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        before = text[max(start, end.start() - _LONGEST_ABBREVIATION) : end.end()]
        if _ABBREVIATION.search(before.rstrip()) and not before.endswith("\n"):
            continue
        if _LIST_NUMBER.search(text[start : end.start()]) and not before.endswith("\n"):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if not _MARKS_ONLY.fullmatch(sentence)]


def split_at_marks(text: str) -> list[str]:
    """Split a text at every mark that may end a sentence: finer than :func:`split_sentences`."""
    return [piece for part in _ANY_MARK.split(text) if (piece := part.strip())]


def join_sentences(sentences: list[str]) -> str:
    """Join sentences with spaces, except after Chinese marks."""
    joined = ""
    for sentence in sentences:
        space = "" if not joined or _NO_SPACE_AFTER.search(joined) else " "
        joined += space + sentence
    return joined


def end_sentence(words: str, language: Language) -> str:
    """Add a full stop to words that end with a letter or a digit."""
    if not words or not words[-1].isalnum():
        return words
    return words + ("。" if language == "cn" else ".")


def sentences_within(
    text: str, most: int, length: Callable[[str], int], about: str = "", *, keep_end: bool = False
) -> str:
    """Return a text, or as many of its sentences as are at most ``most`` by ``length``, in order.

    Those that share most words with ``about`` are taken first, then the first ones, or the last ones
    with ``keep_end``. A heading is kept with what follows it. Of a sentence that is too long the
    beginning is taken, with an ellipsis: of the one nearest to ``about``, or of the next one where
    half of the room is left ("Sure! …").
    """
    whole = text.strip()
    if length(whole) <= most:
        return whole
    sentences = _with_headings(split_sentences(whole)) or [whole]
    order = _order(sentences, about, keep_end=keep_end)
    chosen = _fitting(sentences, order, most, length, in_a_row=not about)
    if order[0] not in chosen:
        chosen = []
    whole = join_sentences([sentences[at] for at in chosen])
    if chosen and (about or keep_end or 2 * length(whole) > most):
        return whole
    words = join_sentences(
        [whole, sentences[order[len(chosen)]]] if chosen else [sentences[order[0]]]
    )
    end = bisect_right(range(len(words)), most, key=lambda end: length(words[:end] + "…"))
    return words[: end - 1].rstrip() + "…" if end > 1 else ""


def excerpt(text: str, about: str = "", longest: int = LONGEST_QUOTE) -> str:
    """Return a text on one line, or the sentences of it that fit with ellipses for the others."""
    whole = " ".join(text.split())
    if len(whole) <= longest:
        return whole
    sentences = split_sentences(whole) or [whole]
    cut = [sentence[:longest].rstrip() for sentence in sentences]
    chosen = _fitting(cut, _order(cut, about), longest, len, in_a_row=not about)
    runs: list[list[str]] = []
    for before, at in pairwise([-2, *chosen]):
        if at > before + 1:
            runs.append([])
        runs[-1].append(cut[at])
    words = " … ".join(map(join_sentences, runs))
    is_end = chosen[-1] == len(sentences) - 1 and cut[-1] == sentences[-1]
    return ("… " if chosen[0] else "") + words + ("" if is_end else " …")


def _with_headings(sentences: Iterable[str]) -> list[str]:
    """Join each heading to the sentence that follows it."""
    joined, heading = list[str](), ""
    for sentence in sentences:
        words = join_sentences([heading, sentence]) if heading else sentence
        heading = words if _HEADING.match(sentence) else ""
        if not heading:
            joined.append(words)
    return [*joined, heading] if heading else joined


def _order(sentences: Sequence[str], about: str, *, keep_end: bool = False) -> list[int]:
    """Order sentences by the words they share with ``about``, then by their place."""
    terms = word_set(about)
    shared = [len(terms & word_set(sentence)) if terms else 0 for sentence in sentences]
    places = range(len(sentences))
    return sorted(reversed(places) if keep_end else places, key=lambda at: -shared[at])


def _fitting(
    sentences: Sequence[str],
    order: Iterable[int],
    most: int,
    length: Callable[[str], int],
    *,
    in_a_row: bool,
) -> list[int]:
    """Choose the sentences that fit together, the first ones in ``order`` first; ascending.

    With ``in_a_row`` none is taken after the first one that does not fit.
    """
    chosen, left = list[int](), most + length(" ")
    for at in order:
        if (cost := length(f" {sentences[at]}")) <= left:
            chosen.append(at)
            left -= cost
        elif in_a_row:
            break
    return sorted(chosen)

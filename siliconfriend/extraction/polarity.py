"""Detect whether a sentence negates its source, or the reverse."""

from __future__ import annotations

import re
from functools import lru_cache

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.tokenizer import segmenter, tokenize
from siliconfriend.language.word_lists import stop_words

_CLAUSE = re.compile(
    r"[,.;:!?\n，。；：！？、…—“”\"()（）]+|\b(?:and|but|so|because|since|though|although|who|which)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NO = re.compile(
    r"(?:not|no|never|none|nobody|nothing|without|neither|nor|cannot|quit|stopped|\w*n['’]t)\Z"
)
_NO_CHINESE = frozenset((
    "不", "没", "没有", "别", "未", "从未", "从不", "不再", "无", "勿", "莫", "甭", "并非", "不是",
    "不要", "戒", "戒了",
))  # fmt: skip
_YES_CHINESE = frozenset((
    "不过", "不仅", "不但", "不光", "不只", "不错", "不管", "不论", "不然", "不如", "不禁", "不由得", "没关系", "没事",
    "未来", "未婚", "未婚夫", "未婚妻", "无论", "无锡", "别人", "别的", "别处", "莫名", "不少", "不久", "不得不", "没错",
))  # fmt: skip


def contradicts(text: str, source: str) -> bool:
    """Return True if a word is negated in one of the two texts only.

    Only the word behind a negation counts as denied; other words of such a clause count as neither.
    """
    said: dict[str, set[bool | None]] = {}
    for clause in _CLAUSE.split(source):
        for word, is_denied in _marked(clause).items():
            said.setdefault(word, set()).add(is_denied)
    return any(
        said.get(word) == {not is_denied}
        for clause in _CLAUSE.split(text)
        for word, is_denied in _marked(clause).items()
        if is_denied is not None
    )


@lru_cache(maxsize=1 << 12)
def _marked(clause: str) -> dict[str, bool | None]:
    """Return the words of a clause: True if negated, False if asserted, None if unclear."""
    marked: dict[str, bool | None] = {}
    is_denied, has_no = False, False
    for forms, is_no in _words(fold(clause)):
        if is_no:
            is_denied, has_no = not is_denied, True
        for form in forms:
            marked[form] = is_denied
        is_denied = is_denied and not forms
    if has_no:
        marked = {word: True if denied else None for word, denied in marked.items()}
    return marked


def _words(clause: str) -> list[tuple[list[str], bool]]:
    """Split a clause into words that say something, each with whether a negation comes before it."""
    if not is_chinese(clause):
        words = _WORD.findall(clause)
        return [([], True) if _NO.match(word) else (_forms(word), False) for word in words]
    found: list[tuple[list[str], bool]] = []
    for word, _kind in segmenter().tag(clause):
        if word in _NO_CHINESE:
            found.append(([], True))
        elif word[0] in "不没" and len(word) > 1 and word not in _YES_CHINESE:
            found.append(([word[1:]] if word[1:] in "在是有" else _forms(word[1:]), True))
        else:
            found.append((_forms(word), False))
    return found


def _forms(word: str) -> list[str]:
    if word in stop_words():
        return []
    return [word] if is_chinese(word) else [form for form in tokenize(word) if len(form) > 1]


def split_clauses(text: str) -> list[str]:
    """Split a text into its clauses."""
    return [part for clause in _CLAUSE.split(text) if (part := clause.strip())]

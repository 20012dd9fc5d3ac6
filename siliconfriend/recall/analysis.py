"""The analysis of a memory's text: the expensive part of an index row.

Analyses are stored beside the vectors, so each text is analysed once, by the first process that
indexes it.
"""

from collections.abc import Iterable
from datetime import date
from zoneinfo import ZoneInfo

import msgspec

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.tokenizer import tokenize, tokenizer_version
from siliconfriend.language.words import word_set
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.documents import (
    Document,
    asking_share,
    digest_of,
    documents_of,
    own_words,
)
from siliconfriend.recall.times import day_of_event, spoken_times

VERSION = 1
"""Version of the rules. Raise it when the days, questions or own words of a text may change: stored
analyses of other versions are rebuilt. The tokenizer has its own version.
"""


class Analysis(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Result of analysing a text.

    Attributes:
        words: its tokens in order, with repeats, joined by blanks.
        own: the tokens of the person's own words, each once.
        times: first and last days it speaks of, as proleptic ordinals.
        event_day: the day of an event that was on another day than it was told, else 0.
        asks: how far it only asks, 0 to 1.
        is_chinese: it is Chinese.
    """

    words: bytes
    own: bytes
    times: tuple[tuple[int, int], ...]
    event_day: int
    asks: float
    is_chinese: bool

    @property
    def tokens(self) -> list[str]:
        """The tokens in order, with repeats."""
        return self.words.decode().split()

    @property
    def spans(self) -> list[DateSpan]:
        """The days it speaks of."""
        return [DateSpan(date.fromordinal(a), date.fromordinal(b)) for a, b in self.times]


_DECODER = msgspec.msgpack.Decoder(Analysis)
encode = msgspec.msgpack.Encoder().encode


def decode(data: bytes) -> Analysis:
    """Decode a stored analysis; ValueError if the bytes are invalid."""
    return _DECODER.decode(data)


def rules() -> str:
    """Return the version string of the analysis rules."""
    return f"{VERSION} {tokenizer_version()}"


def key_of(document: Document, zone: ZoneInfo) -> str:
    """Return the key of a text's analysis, which depends on its day, moment and time zone too."""
    memory = document.memory
    moment = getattr(memory, "time", None)
    said = own_words(memory)
    kind = type(memory).__name__
    return digest_of("\0".join((kind, memory.date, str(moment), zone.key, said, document.text)))


def digests_of(documents: Iterable[Document], zone: ZoneInfo) -> set[str]:
    """Return the digests of texts and the keys of their analyses."""
    return {key for document in documents for key in (document.digest, key_of(document, zone))}


def passages_of(memory: PersonMemory) -> set[str]:
    """Return the digests and keys of all texts of a memory."""
    zone, days = memory.profile.zone, memory.days.values()
    return {key for day in days for key in digests_of(documents_of(day), zone)}


def analyse(document: Document, zone: ZoneInfo) -> Analysis:
    """Analyse the text of a memory."""
    memory, event_day = document.memory, day_of_event(document.memory, zone)
    return Analysis(
        words=_joined(tokenize(document.text)),
        own=_joined(sorted(word_set(own_words(memory)))),
        times=tuple(
            (span.first.toordinal(), span.last.toordinal()) for span in spoken_times(memory, zone)
        ),
        event_day=0 if event_day is None else event_day.toordinal(),
        asks=asking_share(memory),
        is_chinese=is_chinese(document.text),
    )


def _joined(tokens: list[str]) -> bytes:
    return " ".join(tokens).encode("utf-8", "replace")

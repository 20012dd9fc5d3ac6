"""The cue: a message, parsed, tokenized and embedded once before the search."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np

from siliconfriend.clock import day_of
from siliconfriend.language.characters import fold, is_chinese, language_of
from siliconfriend.language.message import read_message
from siliconfriend.language.tokenizer import segmenter, token_pairs, tokenize
from siliconfriend.language.words import beginning_and_end, content_set
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.dates import DateSpan, find_dates, find_dates_said_on
from siliconfriend.recall.embedders.base import Embedder, Vector
from siliconfriend.texts import Language

JOINED_BELOW = 2
"""Messages with fewer content words and no name ("And then?", 为什么？) are too short to search
alone.
"""

REPLY_CHARACTERS = 300  # characters read from the end of the last reply
CONTEXT_UTTERANCES = 8  # maximum number of utterances read as context of a remark

CONTEXT_DECAY = 0.7
"""Factor by which an utterance counts less with each later message of the person. Chosen on one half
of the talks of MADial-Bench, where everything from 0.6 to 0.9 does nearly as well."""

NAME_KINDS = ("nr", "ns", "nt", "nz")
"""The segmenter's marks for names: of people, places, organisations, others."""

_CAPITALISED = re.compile(
    r"(?<![^\W_])[A-Z][\w'’-]*(?:\s+(?:(?:of|the|de|van|von|da|del)\s+)?[A-Z][\w'’-]*)*"
)
_QUOTED = re.compile(r"《([^》]{1,60})》|“([^”]{2,60})”|\"([^\"]{2,60})\"|「([^」]{1,60})」")
_SENTENCE_START = re.compile(
    r"(?:^|(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bMrs)[.!?。！？…:\n])[\s\"'“”‘’(]*$"
)

ANY_DAY = date(2024, 2, 29)
"""Arbitrary reference day for parsing day words; a leap day, so that every date is valid."""

_LONGEST_GAP = 20
"""Blanks and quotation marks that may stand before a sentence; a whole text is read only once."""

TokenPair = tuple[str, str]
"""A word's folded surface form and its token."""

DocumentFrequency = Callable[[str], int]
"""Number of the person's documents with a token."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """An earlier utterance of the conversation.

    Attributes:
        is_reply: the companion said it.
        turn: id of its turn, which is excluded from recall; empty if it has none.
    """

    text: str
    is_reply: bool = False
    turn: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """An utterance before a remark: its text, search tokens, and weight relative to the message."""

    text: str
    tokens: tuple[str, ...]
    weight: float
    is_reply: bool = False


@dataclass(frozen=True, slots=True)
class Cue:
    """A message as recall sees it.

    Attributes:
        message: what the person said.
        text: what is embedded: the message, after the end of the last reply where it is short
            or the recipe always wants that; without a reply, after a question that it follows up.
        spans: the days the message names.
        names: names and titles as written, without the speakers' own.
        tokens: of the message, in order, with repeats.
        reply_tokens: of the end of the last reply, whether it is joined or not.
        text_tokens: of ``text``.
        search_tokens: what is searched by words: those of ``text`` without the words that
            name days, each once.
        is_question: the message asks for something told earlier, which may not exist.
        context: utterances before a remark, newest first; empty for a question.
        asks_ahead: the message asks about the future.
    """

    message: str
    text: str
    spans: tuple[DateSpan, ...]
    names: tuple[str, ...]
    tokens: tuple[TokenPair, ...]
    reply_tokens: tuple[TokenPair, ...]
    text_tokens: tuple[TokenPair, ...]
    search_tokens: tuple[str, ...]
    is_question: bool = True
    context: tuple[Context, ...] = ()
    asks_ahead: bool = False

    @property
    def search_weights(self) -> dict[str, float]:
        """Return the weight of each token in the search by words; 1 for those of the message."""
        weights = dict.fromkeys(self.search_tokens, 1.0)
        for utterance in self.context:
            for token in utterance.tokens:
                weights[token] = max(weights.get(token, 0.0), utterance.weight)
        return weights


def build_cue(
    message: str,
    memory: PersonMemory,
    *,
    now: datetime,
    talk: Sequence[Utterance] = (),
    companion_name: str = "",
    days: Sequence[date] | None = None,
    planned: Sequence[date] = (),
    frequency: DocumentFrequency | None = None,
    always_joined: bool = False,
) -> Cue:
    """Parse and tokenize a message in the context of a person's memory.

    Args:
        message: what the person said.
        memory: theirs; its days give a date its year.
        now: when it was said, aware.
        talk: preceding utterances of this conversation, oldest first.
        companion_name: what the companion calls itself.
        days: those on which the person said something, ascending; those of ``memory`` unless given.
        planned: days to come of which they told something, ascending.
        frequency: in how many of their documents a token occurs; without it every word that
            looks like a name counts as one.
        always_joined: join the end of the last reply to any message, not to a short one only.
    """
    profile, message = memory.profile, beginning_and_end(message)
    reading = read_message(message)
    speakers = name_words((profile.called, companion_name))
    days = days_remembered(memory) if days is None else days
    spans = find_dates(message, now=now, zone=profile.zone, days=days, planned=planned)
    rest = remove_dates(message, spans)
    tokens = tuple(token_pairs(message))
    search_tokens = tokenize(rest) if spans else [token for _, token in tokens]
    if frequency is not None:
        search_tokens = [part for token in search_tokens for part in _parts(token, frequency)]
    last = next((said.text for said in reversed(talk) if said.is_reply and said.text), "")
    # Without a model the replies are left out, and "and from when?" follows the question before it.
    # "When is my exam?" does not, and a statement before it would only find itself.
    if not last and talk and not content_set(message) and read_message(talk[-1].text).asks_memory:
        last = talk[-1].text
    ending = context_text(last)
    reply_tokens = tuple(token_pairs(ending))
    content = {token for token in search_tokens if len(token) > 1 and token not in speakers}
    # "On 4 May?" asks for that day; "I was ill last night" remarks on something.
    asks = reading.asks_memory or (bool(spans) and not content)
    if not asks:
        spans = find_dates_said_on(message, day_of(now, profile.zone))
    context = () if asks or always_joined else context_of(talk)
    names = find_names(rest, speakers, frequency)
    is_named = any(len(name) > 1 for name in names)
    is_too_short = len(content) < JOINED_BELOW and not (spans or is_named or context)
    text, text_tokens = message.strip(), tokens
    if ending and (is_too_short or always_joined):
        text, text_tokens = f"{ending}\n{text}", reply_tokens + tokens
        search_tokens = [*(token for _, token in reply_tokens), *search_tokens]
    return Cue(
        message=message,
        text=text,
        spans=spans,
        names=names,
        tokens=tokens,
        reply_tokens=reply_tokens,
        text_tokens=text_tokens,
        search_tokens=tuple(dict.fromkeys(search_tokens)),
        is_question=asks,
        context=context,
        asks_ahead=asks and reading.asks_ahead,
    )


def _parts(token: str, frequency: DocumentFrequency) -> tuple[str, ...]:
    """Return a token; split an unknown one in two if the memory contains the longer part.

    The segmenter glues a name it does not know to the verb: 小北带 of 小北带了什么.
    """
    if is_chinese(token) and not frequency(token):
        for length in range(len(token) - 1, 1, -1):
            for known, rest in (
                (token[:length], token[length:]),
                (token[-length:], token[:-length]),
            ):
                if frequency(known):
                    return token, known, rest
    return (token,)


def context_of(talk: Sequence[Utterance]) -> tuple[Context, ...]:
    """Return the last utterances of a talk, each once, newest first."""
    found: dict[str, Context] = {}
    weight = CONTEXT_DECAY
    for utterance in reversed(talk[-CONTEXT_UTTERANCES:]):
        text = context_text(utterance.text)
        if text and text not in found:
            tokens = tuple(dict.fromkeys(tokenize(text)))
            found[text] = Context(text, tokens, weight, utterance.is_reply)
        if not utterance.is_reply:
            weight *= CONTEXT_DECAY
    return tuple(found.values())


def context_text(text: str) -> str:
    """Return the part of an utterance used as context: the end if it is long."""
    return text.strip()[-REPLY_CHARACTERS:]


def days_remembered(memory: PersonMemory) -> list[date]:
    """Return the days on which the person said something, ascending."""
    return [date.fromisoformat(named) for named, day in memory.days.items() if day.turns]


def remove_dates(text: str, spans: Sequence[DateSpan]) -> str:
    """Return the text without the words that name its days.

    Holiday names stay, since memories of a holiday mostly contain its name.
    """
    rest = unicodedata.normalize("NFKC", text) if spans else text
    for span in spans:
        if not span.told_after:
            rest = rest.replace(span.words, " ", 1)
    return rest


def undated(text: str) -> str:
    """Remove the words that name days from a memory's text."""
    return remove_dates(text, find_dates_said_on(text, ANY_DAY))


def name_words(names: Iterable[str]) -> frozenset[str]:
    """Return the folded words of some names, as surface forms and as index tokens."""
    found = {fold(name).strip() for name in names}
    for name in names:
        for pair in token_pairs(name):
            found.update(pair)
    return frozenset(found - {""})


def find_names(
    text: str, speakers: frozenset[str] = frozenset(), frequency: DocumentFrequency | None = None
) -> tuple[str, ...]:
    """Find titles in quotation marks, English words with a capital and Chinese names, each once.

    With ``frequency`` a Chinese name and a sentence's first word count only where the person's
    memory has them; without it a sentence's first word never does.
    """
    found: dict[str, None] = {}
    for match in _QUOTED.finditer(text):
        found[next(title for title in match.groups() if title).strip()] = None
    for match in _CAPITALISED.finditer(text):
        name = _name_of(match, text, frequency)
        if name:
            found[name] = None
    if is_chinese(text):
        for word, kind in segmenter().tag(text):
            is_known = frequency is None or frequency(fold(word)) > 0
            if kind in NAME_KINDS and len(word) > 1 and is_chinese(word) and is_known:
                found[word] = None
    return tuple(name for name in found if not name_words((name,)) <= speakers)


def _name_of(match: re.Match[str], text: str, frequency: DocumentFrequency | None) -> str:
    """Return a capitalised run as a name, without a first word that only begins a sentence."""
    run = match.group().rstrip("'’-").removesuffix(" I")
    first, _, rest = run.partition(" ")
    if _SENTENCE_START.search(text, max(0, match.start() - _LONGEST_GAP), match.start()):
        tokens = tokenize(first)
        if not tokens or (frequency is not None and not any(map(frequency, tokens))):
            run = rest
        elif frequency is None and not rest:
            run = ""
    return run if " " in run or tokenize(run) else ""


@dataclass(frozen=True, slots=True)
class CueVectors:
    """The vectors of a cue; None without an embedder or without text.

    Attributes:
        compared: of the message, less the mean of many messages; of a remark in a conversation the
            mean of that and of the person's messages before it, later ones counting more.
    """

    message: Vector | None = None
    compared: Vector | None = None
    is_of_talk: bool = False

    @property
    def searched(self) -> Vector | None:
        """The vector whose nearest memories become candidates."""
        return self.compared if self.is_of_talk else self.message


def cue_vectors(
    cue: Cue, embedder: Embedder | None, baseline: Mapping[Language, Vector]
) -> CueVectors:
    """Embed a cue and subtract its language's baseline; ModelUnavailable if a service failed."""
    if embedder is None or not cue.text.strip():
        return CueVectors()
    before = [said for said in cue.context if not (said.is_reply or cue.is_question)]
    # The person's messages were embedded when they were said: mostly all but one is cached.
    message, *earlier = embedder.queries([cue.text, *(said.text for said in before)])
    base = baseline.get(language_of(cue.text), np.zeros_like(message))
    if not before:
        return CueVectors(message, message - base)
    talk = np.average(earlier, axis=0, weights=[said.weight for said in before])
    return CueVectors(message, (message + talk) / 2 - base, is_of_talk=True)

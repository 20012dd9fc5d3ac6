"""The companion without a model: it gives back what was said, with its day, and nothing else.

Every sentence is a text of ``dialogue.toml`` or a quotation of a memory, so it cannot
invent anything. Which of several wordings is used follows from the day and the number of
the turn: the same talk always gets the same replies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice

from siliconfriend.dialogue.intent import Intent, asks_what_companion_said, intent_of
from siliconfriend.dialogue.quoting import content_words, excerpt
from siliconfriend.dialogue.spoken_days import spoken_day
from siliconfriend.memory.records import PersonMemory, Turn, Used
from siliconfriend.recall.recollection import Recalled
from siliconfriend.texts import Language, area, text

MADE_BY = "offline"
RELATED_WORDS = 2
"""How many words a statement must share with a memory before it is brought up."""
SECOND_BEST = 0.6
"""The share of the best memory's score that makes another worth quoting beside it."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What the offline companion answers to.

    Attributes:
        said: the person's words.
        memory: what is remembered of them, this turn not counted.
        recalled: what the words brought to mind, best first.
        today: the person's day.
        number: of the turn within the day, 0-based.
        companion_name: what it calls itself.
        off_record: nothing of this is kept.
    """

    said: str
    memory: PersonMemory
    recalled: tuple[Recalled, ...]
    today: date
    number: int
    companion_name: str
    off_record: bool = False


@dataclass(frozen=True, slots=True)
class OfflineReply:
    """The sentences of a reply and the memories whose words they hold."""

    sentences: tuple[str, ...]
    used: tuple[Used, ...] = ()

    def pieces(self, language: Language) -> Iterator[str]:
        """The reply as a stream, sentence by sentence."""
        for number, sentence in enumerate(self.sentences):
            gap = " " if number and language == "en" else ""
            yield gap + sentence


def answer(occasion: Occasion) -> OfflineReply:
    """The reply to what was said."""
    return _Speaker(occasion).reply()


class _Speaker:
    def __init__(self, occasion: Occasion) -> None:
        self._it = occasion
        self._language = occasion.memory.profile.language
        self._asked = content_words(occasion.said)
        self._newcomer = not any(True for _ in occasion.memory.turns())

    def reply(self) -> OfflineReply:
        intent = intent_of(self._it.said, self._it.companion_name)
        if intent == "greeting":
            return self._greeting()
        if intent == "portrait":
            return self._portrait()
        if intent == "question":
            return self._remembered()
        if intent == "request":
            return self._request()
        if intent == "statement":
            return self._statement()
        return OfflineReply((self._plain(intent),))

    def _plain(self, key: Intent) -> str:
        if key == "crisis":
            return text("dialogue", "offline.crisis", self._language)
        return self._one(key)

    def _greeting(self) -> OfflineReply:
        if self._newcomer:
            return OfflineReply((self._one("hello_new"),))
        hello = self._one("hello_again")
        last = next(self._latest(), None)
        if last is None or date.fromisoformat(last.date) >= self._it.today:
            return OfflineReply((hello,))
        words = excerpt(last.query, frozenset())
        return OfflineReply(
            (hello, self._one("last_time", last.date, words=words)), _named(last.id)
        )

    def _portrait(self) -> OfflineReply:
        memory = self._it.memory
        known = [it for it in (memory.overall_personality, memory.overall_history) if it]
        if known:
            words = "\n".join(["", *(it.text.strip() for it in known)])
            rests_on = dict.fromkeys(one for it in known for one in it.provenance.from_ids)
            return OfflineReply((self._one("portrait"), words), _named(*rests_on))
        latest = list(islice(self._latest(), 2))
        if not latest:
            return OfflineReply((self._one("nothing"),))
        quotes = [
            self._one(key, turn.date, words=excerpt(turn.query, frozenset()))
            for key, turn in zip(("told", "told_too"), latest, strict=False)
        ]
        sentences = (self._one("portrait_later"), *quotes)
        return OfflineReply(sentences, _named(*(turn.id for turn in latest)))

    def _latest(self) -> Iterator[Turn]:
        """What the person told, latest first: no questions, no greetings, nothing put away."""
        turns = list(self._it.memory.turns())
        for turn in reversed(turns):
            if turn.trace.archived is None and intent_of(turn.query) == "statement":
                yield turn

    def _remembered(self) -> OfflineReply:
        found = self._worth_quoting()
        if not found:
            return OfflineReply((self._one("nothing"),))
        sentences = [] if self._shared(found[0]) else [self._one("nearest")]
        sentences += [self._quote(it, "told_too" if at else "told") for at, it in enumerate(found)]
        return OfflineReply(tuple(sentences), _scored(found))

    def _request(self) -> OfflineReply:
        found = [it for it in self._worth_quoting()[:1] if self._shared(it) >= RELATED_WORDS]
        quotes = [self._quote(it, "told") for it in found]
        return OfflineReply((self._one("cannot"), *quotes), _scored(found))

    def _statement(self) -> OfflineReply:
        if self._it.off_record:
            return OfflineReply((self._one("unkept"),))
        if self._newcomer:
            return OfflineReply((self._one("kept_new"),))
        found = [it for it in self._worth_quoting()[:1] if self._shared(it) >= RELATED_WORDS]
        if not found:
            return OfflineReply((self._one("kept"),))
        related = (self._one("related"), self._quote(found[0], "told"))
        return OfflineReply((self._one("kept"), *related), _scored(found))

    def _worth_quoting(self) -> list[Recalled]:
        """The best memory and perhaps a second; turns before notes, which only retell them."""
        own = [it for it in self._it.recalled if it.own]
        turns = [it for it in own if isinstance(it.memory, Turn)] or own
        best = turns[:1]
        for other in turns[1:2]:
            near = other.score >= SECOND_BEST * turns[0].score
            if near and self._shared(other) >= max(1, self._shared(turns[0]) - 1):
                best.append(other)
        return best

    def _shared(self, recalled: Recalled) -> int:
        """How many words of what was said the memory has."""
        memory = recalled.memory
        words = f"{memory.query}\n{memory.response}" if isinstance(memory, Turn) else memory.text
        return len(self._asked & content_words(words))

    def _quote(self, recalled: Recalled, key: str) -> str:
        memory = recalled.memory
        if not isinstance(memory, Turn):
            sentence = self._one("noted", memory.date, words=excerpt(memory.text, self._asked))
        elif self._answer_is_ours(memory):
            sentence = self._one(
                "answered",
                memory.date,
                words=excerpt(memory.query, self._asked),
                answer=excerpt(memory.response, self._asked),
            )
        else:
            sentence = self._one(key, memory.date, words=excerpt(memory.query, self._asked))
        if recalled.state == "vivid":
            return sentence
        dim = text("dialogue", "offline.dim", self._language)
        return f"{dim} {sentence}" if self._language == "en" else f"{dim}{sentence}"

    def _answer_is_ours(self, turn: Turn) -> bool:
        """Whether the companion's own words of a turn are what the question asks for."""
        if not turn.response.strip():
            return False
        if asks_what_companion_said(self._it.said) or intent_of(turn.query) in (
            "question",
            "request",
        ):
            return True
        in_query = len(self._asked & content_words(turn.query))
        return len(self._asked & content_words(turn.response)) >= in_query + 2

    def _one(self, key: str, said_on: str | None = None, **values: object) -> str:
        """One of the wordings of ``key``, the day of ``said_on`` put in."""
        wordings = area("dialogue", self._language)["offline"][key]
        wording: str = wordings[(self._it.today.toordinal() + self._it.number) % len(wordings)]
        if said_on is not None:
            day = date.fromisoformat(said_on)
            spoken = spoken_day(day, self._it.today, self._language)
            values |= {
                "day": spoken,
                "Day": spoken[:1].upper() + spoken[1:],
                "day_alone": spoken_day(day, self._it.today, self._language, alone=True),
            }
        person = self._it.memory.profile.name
        return wording.format(person=person, companion=self._it.companion_name, **values)


def _scored(recalled: Iterable[Recalled]) -> tuple[Used, ...]:
    return tuple(Used(it.memory.id, it.score, it.parts) for it in recalled)


def _named(*ids: str) -> tuple[Used, ...]:
    """Memories that are quoted although no recall scored them."""
    return tuple(Used(identifier, 0.0) for identifier in ids)

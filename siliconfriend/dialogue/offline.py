"""The companion without a model: it gives back what was said, with its day, and nothing else.

Every sentence is a text of ``dialogue.toml`` or a quotation, of a memory or of the
companion's own story, so it cannot invent anything. Which of several wordings is used
follows from the day and the number of the turn: the same talk always gets the same replies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice

from siliconfriend.clock import day_of
from siliconfriend.dialogue.excerpt import excerpt
from siliconfriend.dialogue.humanize import humanize_day
from siliconfriend.dialogue.intent import Intent, asks_what_companion_said, classify_intent
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.language.overlap import overlap_terms
from siliconfriend.language.sentences import split_sentences
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Memory, PersonMemory, Turn, Used
from siliconfriend.moods import moods_of
from siliconfriend.recall.results import Recalled, RecallResult
from siliconfriend.texts import Language, area, text

RELATED_WORDS = 2
"""How many words a statement must share with a memory before it is brought up."""
OFF_RECORD = {
    "hello_new": "hello_unkept",
    "farewell": "farewell_unkept",
    "nothing": "nothing_unkept",
    "kept": "unkept",
    "kept_new": "unkept",
    "kept_heavy": "unkept_heavy",
    "kept_bright": "unkept_bright",
}
"""Wordings that promise to keep something, and what stands for them off the record."""
NEARLY = 0.6
"""From this share of the best memory's score on, another is nearly as good."""


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """What the offline companion replies to.

    Attributes:
        said: the person's words.
        memory: what is remembered of them, this turn not counted.
        recalled: what the words brought to mind, best first.
        today: the person's day.
        number: of the turn within the day, 0-based.
        companion_name: what it calls itself.
        off_record: nothing of this is kept.
        own_story: what of the companion's own story bears on the words, best first.
    """

    said: str
    memory: PersonMemory
    recalled: tuple[Recalled, ...]
    today: date
    number: int
    companion_name: str
    off_record: bool = False
    own_story: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, message: IncomingMessage, retrieved: Retrieved, *, companion_name: str
    ) -> ReplyContext:
        """Build the context from a message and what it brought to mind."""
        today = day_of(message.now, message.memory.profile.zone)
        return cls(
            said=message.text,
            memory=message.memory,
            recalled=retrieved.memories.memories,
            today=today,
            number=message.memory.next_position(today.isoformat()),
            companion_name=companion_name,
            off_record=message.turn is None or message.turn.unkept,
            own_story=_quotable_story(message.text, retrieved.own_story),
        )


@dataclass(frozen=True, slots=True)
class OfflineReply:
    """The sentences of a reply and the memories whose words they hold."""

    sentences: tuple[str, ...]
    used: tuple[Used, ...] = ()

    def pieces(self, language: Language) -> Iterator[str]:
        """Stream the reply sentence by sentence."""
        for number, sentence in enumerate(self.sentences):
            gap = " " if number and language == "en" else ""
            yield gap + sentence


def reply_offline(context: ReplyContext) -> OfflineReply:
    """Compose the reply to what was said."""
    return _OfflineResponder(context).reply()


class _OfflineResponder:
    """Composes one reply, by the intent of what was said."""

    def __init__(self, context: ReplyContext) -> None:
        self._context = context
        self._language = context.memory.profile.language
        self._asked = overlap_terms(context.said)
        self._newcomer = not any(True for _ in context.memory.turns())

    def reply(self) -> OfflineReply:
        intent = classify_intent(self._context.said, self._context.companion_name)
        if intent == "greeting":
            return self._greeting()
        if intent == "portrait":
            return self._portrait()
        if intent == "question":
            return self._question()
        if intent == "request":
            return self._request()
        if intent == "statement":
            return self._statement()
        return OfflineReply((self._plain(intent),))

    def _plain(self, key: Intent) -> str:
        if key == "crisis":
            return text("dialogue", "offline.crisis", self._language)
        return self._wording(key)

    def _greeting(self) -> OfflineReply:
        if self._newcomer:
            return OfflineReply((self._wording("hello_new"),))
        hello = self._wording("hello_again")
        last = next(self._latest(), None)
        if last is None or date.fromisoformat(last.date) >= self._context.today:
            return OfflineReply((hello,))
        words = excerpt(last.query, frozenset())
        return OfflineReply(
            (hello, self._wording("last_time", last.date, words=words)), _unscored(last.id)
        )

    def _portrait(self) -> OfflineReply:
        memory = self._context.memory
        overall = [it for it in (memory.overall_personality, memory.overall_history) if it]
        if overall:
            words = "\n".join(["", *(portrait.text.strip() for portrait in overall)])
            from_ids = dict.fromkeys(
                source for portrait in overall for source in portrait.provenance.from_ids
            )
            return OfflineReply((self._wording("portrait"), words), _unscored(*from_ids))
        told = list(self._latest())
        before = (turn for turn in told if turn.date < self._context.today.isoformat())
        latest = list(islice(before, 2)) or told[:2]
        if not latest:
            return OfflineReply((self._wording("nothing"),))
        quotes = [
            self._wording(key, turn.date, words=excerpt(turn.query, frozenset()))
            for key, turn in zip(("told", "told_too"), latest, strict=False)
        ]
        sentences = (self._wording("portrait_later"), *quotes)
        return OfflineReply(sentences, _unscored(*(turn.id for turn in latest)))

    def _latest(self) -> Iterator[Turn]:
        """The person's statements, latest first: no questions, no greetings, nothing archived."""
        turns = list(self._context.memory.turns())
        for turn in reversed(turns):
            if turn.trace.archived is None and classify_intent(turn.query) == "statement":
                yield turn

    def _question(self) -> OfflineReply:
        found = self._worth_quoting()
        told = bool(found) and self._shared(found[0]) > 0
        if self._context.own_story and not told:
            return OfflineReply((self._wording("own_story", words=self._context.own_story[0]),))
        if not found:
            return OfflineReply((self._wording("nothing"),))
        is_it = self._shared(found[0]) or found[0].parts.get("date", 0.0) > 0
        sentences = [] if is_it else [self._wording("nearest")]
        return OfflineReply((*sentences, *self._quotes(found)), _scored(found))

    def _request(self) -> OfflineReply:
        found = self._related()
        return OfflineReply((self._wording("cannot"), *self._quotes(found)), _scored(found))

    def _statement(self) -> OfflineReply:
        if self._newcomer:
            return OfflineReply((self._wording("kept_new"),))
        if self._context.off_record:
            return OfflineReply((self._wording(f"kept{self._mood()}"),))
        found = self._related()
        related = (self._wording("related"), *self._quotes(found)) if found else ()
        return OfflineReply((self._wording(f"kept{self._mood()}"), *related), _scored(found))

    def _mood(self) -> str:
        """The suffix of the wording that fits the mood; a heavy mood goes before a bright one."""
        moods = moods_of(split_sentences(self._context.said))
        if not moods:
            return ""
        return "_bright" if all(mood.is_bright for mood in moods) else "_heavy"

    def _worth_quoting(self) -> list[Recalled]:
        """The best memory and perhaps a second; turns before notes, which only retell them.

        Among those that recall scores nearly alike, the one whose words answer the words of
        the question reads best, so that one comes first.
        """
        recalled = self._context.recalled
        own = [found for found in recalled if found.is_relevant and not _only_asked(found.memory)]
        turns = [found for found in own if isinstance(found.memory, Turn)] or own
        near = [found for found in turns if found.score >= NEARLY * turns[0].score]
        near.sort(key=self._shared, reverse=True)
        best = near[:1]
        for other in near[1:2]:
            fits = self._shared(other) >= max(1, self._shared(near[0]) - 1)
            if fits and not _same_words(near[0], other):
                best.append(other)
        return best

    def _related(self) -> list[Recalled]:
        """The best memory, if it has enough words of what was said."""
        return [it for it in self._worth_quoting()[:1] if self._shared(it) >= RELATED_WORDS]

    def _shared(self, recalled: Recalled) -> int:
        """Count the words of the message that stand in what would be quoted of the memory."""
        memory = recalled.memory
        if not isinstance(memory, Turn):
            words = memory.text
        elif self._answer_is_ours(memory):
            words = f"{memory.query}\n{memory.response}"
        else:
            words = memory.query
        return len(self._asked & overlap_terms(words))

    def _quotes(self, found: list[Recalled]) -> list[str]:
        """Quote the memories in their own words; that they are dim is said once."""
        quotes = []
        said_dim = False
        for key, recalled in zip(("told", "told_too"), found, strict=False):
            if recalled.state != "vivid" and not said_dim:
                quotes.append(text("dialogue", "offline.dim", self._language))
                said_dim = True
            quotes.append(self._quote(recalled.memory, key))
        return quotes

    def _quote(self, memory: Memory, key: str) -> str:
        if not isinstance(memory, Turn):
            return self._wording("noted", memory.date, words=excerpt(memory.text, self._asked))
        words = excerpt(memory.query, self._asked)
        if not self._answer_is_ours(memory):
            return self._wording(key, memory.date, words=words)
        ours = excerpt(memory.response, self._asked)
        return self._wording("answered", memory.date, words=words, answer=ours)

    def _answer_is_ours(self, turn: Turn) -> bool:
        """True if the question asks for the companion's own words of a turn."""
        if not turn.response.strip():
            return False
        if asks_what_companion_said(self._context.said):
            return True
        if classify_intent(turn.query) in ("question", "request"):
            return True
        in_query = len(self._asked & overlap_terms(turn.query))
        return len(self._asked & overlap_terms(turn.response)) >= in_query + 2

    def _wording(self, key: str, said_on: str | None = None, **values: object) -> str:
        """Choose one of the wordings of ``key`` and put the values and the day ``said_on`` in."""
        key = OFF_RECORD.get(key, key) if self._context.off_record else key
        wordings = area("dialogue", self._language)["offline"][key]
        wording: str = wordings[
            (self._context.today.toordinal() + self._context.number) % len(wordings)
        ]
        if said_on is not None:
            day = date.fromisoformat(said_on)
            spoken = humanize_day(day, self._context.today, self._language)
            values |= {
                "day": spoken,
                "Day": spoken[:1].upper() + spoken[1:],
                "day_alone": humanize_day(day, self._context.today, self._language, alone=True),
            }
        person = self._context.memory.profile.name
        return wording.format(person=person, companion=self._context.companion_name, **values)


def _quotable_story(said: str, story: RecallResult | None) -> tuple[str, ...]:
    """What can be quoted of the companion's own story, facts first.

    What only comes nearest is quoted where the question has no word it could be found by.
    """
    found = (*story.facts, *story.memories) if story else ()
    is_open = not overlap_terms(said)
    return tuple(
        recalled.memory.text
        for recalled in found
        if not isinstance(recalled.memory, Turn)
        and (recalled.is_relevant or (is_open and recalled.score > 0))
    )


def _only_asked(memory: Memory) -> bool:
    """True for a question to the offline companion: the answer to it holds only quotes."""
    if not isinstance(memory, Turn) or memory.replied_by != OFFLINE:
        return False
    return all(
        classify_intent(sentence) in ("question", "request")
        for sentence in split_sentences(memory.query)
    )


def _same_words(one: Recalled, other: Recalled) -> bool:
    """True if both are turns with the same words of the person."""
    turns = [recalled.memory for recalled in (one, other)]
    words = [turn.query.casefold() for turn in turns if isinstance(turn, Turn)]
    return len(words) == 2 and words[0] == words[1]


def _scored(recalled: Iterable[Recalled]) -> tuple[Used, ...]:
    return tuple(Used(found.memory.id, found.score, found.parts) for found in recalled)


def _unscored(*ids: str) -> tuple[Used, ...]:
    """Mark memories as used that are quoted although no recall scored them."""
    return tuple(Used(identifier, 0.0) for identifier in ids)

"""What an offline reply is composed from, and what it is.

Everything that decides a reply stands in one value: the same context always gets the same
reply, whatever process or page asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice

from siliconfriend.clock import day_of
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.likelihood import Judged
from siliconfriend.dialogue.open_matters import DueMatter
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.language.overlap import overlap_terms
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.used import Used
from siliconfriend.recall.results import Recalled, RecallResult
from siliconfriend.texts import Language

EARLIER_TURNS = 8
"""How many of the last exchanges a reply looks back on, so as not to repeat itself."""


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
        unkept: the words themselves ask not to be kept.
        own_story: what of the companion's own story bears on the words, best first.
        earlier: the last exchanges before this one, oldest first, of this day or another.
        due: what was told of a day that has come, is near or has just gone, today's first.
        answers: what answers a question about a matter of the person's life, best first.
        said_first: what the companion spoke of today before it was asked.
        near: what lies near beside what was recalled, in no order.
        judged: how likely each memory is what the words call for.
        sequels: what was told later and changes a memory, by the id of that one.
        facts: what is known of what the words ask, best first.
        hour: of the person's clock, 0 to 23; None where it does not matter.
    """

    said: str
    memory: PersonMemory
    recalled: tuple[Recalled, ...]
    today: date
    number: int
    companion_name: str
    off_record: bool = False
    unkept: bool = False
    own_story: tuple[str, ...] = ()
    earlier: tuple[Exchange, ...] = ()
    due: tuple[DueMatter, ...] = ()
    answers: tuple[Recalled, ...] = ()
    said_first: tuple[Turn, ...] = ()
    near: tuple[Recalled, ...] = ()
    judged: Judged = field(default_factory=Judged)
    sequels: Mapping[str, tuple[Recalled, ...]] = field(default_factory=dict)
    facts: tuple[Recalled, ...] = ()
    hour: int | None = None

    @classmethod
    def of(
        cls,
        message: IncomingMessage,
        retrieved: Retrieved,
        *,
        companion_name: str,
        unwritten: Sequence[Exchange] = (),
    ) -> ReplyContext:
        """Build the context from a message and what it brought to mind.

        Args:
            message: what is answered.
            retrieved: what it brought to mind.
            companion_name: what the companion calls itself.
            unwritten: what was said before in this conversation off the record, oldest first.
        """
        memory = message.memory
        today = day_of(message.now, memory.profile.zone)
        off_record = message.turn is None or message.turn.unkept
        unseen = unwritten if off_record else ()
        return cls(
            said=message.text,
            memory=memory,
            recalled=retrieved.memories.memories,
            today=today,
            number=memory.next_position(today.isoformat()) + len(unseen),
            companion_name=companion_name,
            off_record=off_record,
            unkept=message.turn is not None and message.turn.unkept,
            own_story=_quotable_story(message.text, retrieved.own_story),
            answers=retrieved.memories.answers,
            near=retrieved.memories.near,
            judged=retrieved.judged,
            earlier=(*_last_exchanges(memory), *unseen)[-EARLIER_TURNS:],
            due=retrieved.due,
            said_first=retrieved.said_first,
            sequels=retrieved.sequels,
            facts=retrieved.memories.facts,
            hour=message.now.astimezone(memory.profile.zone).hour,
        )

    @property
    def found(self) -> tuple[Recalled, ...]:
        """All that was recalled or lies near, each once."""
        by_id = {it.memory.id: it for it in (*self.near, *self.answers, *self.recalled)}
        return tuple(by_id.values())

    @property
    def language(self) -> Language:
        """The person's."""
        return self.memory.profile.language

    @property
    def is_newcomer(self) -> bool:
        """True if nothing was said before."""
        return not any(True for _ in self.memory.turns())


@dataclass(frozen=True, slots=True)
class OfflineReply:
    """The sentences of a reply and the memories whose words they hold."""

    sentences: tuple[str, ...]
    used: tuple[Used, ...] = field(default=())

    def pieces(self, language: Language) -> Iterator[str]:
        """Stream the reply sentence by sentence."""
        for number, sentence in enumerate(self.sentences):
            gap = " " if number and language == "en" else ""
            yield gap + sentence


def used_of(recalled: Iterable[Recalled]) -> tuple[Used, ...]:
    """Mark memories as used, with the score recall gave them and how vivid they were."""
    return tuple(
        Used(found.memory.id, found.score, found.parts, found.retention) for found in recalled
    )


def used_ids(*ids: str) -> tuple[Used, ...]:
    """Mark memories as used that are quoted although no recall scored them."""
    return tuple(Used(identifier, 0.0) for identifier in ids)


def _last_exchanges(memory: PersonMemory) -> list[Exchange]:
    """The last exchanges of a person, oldest first, without sorting all there ever were."""
    days = sorted(memory.days, reverse=True)
    latest = (turn for day in days for turn in reversed(memory.days[day].turns))
    turns: list[Turn] = list(islice(latest, EARLIER_TURNS))
    return [Exchange(turn.query, turn.response, turn.id) for turn in reversed(turns)]


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

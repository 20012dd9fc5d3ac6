"""The reply of the companion without a model: it quotes what was told, with its day.

What is more likely than not, by recall's learned likelihood, is quoted; else nothing was told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from itertools import islice

from siliconfriend.clock import day_of
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.offline_wording import Wordings
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.extraction.day_sentences import sentence_weight, weightiest_turns, words_of_day
from siliconfriend.language.message import COURTESIES, REQUESTS, Kind, Message, read_message
from siliconfriend.language.sentences import excerpt
from siliconfriend.language.words import content_set, share_of, word_set
from siliconfriend.memory.knowledge import BY_PERSON, OFFLINE, Fact, Used
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.cue import days_remembered, remove_dates
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.results import Recalled
from siliconfriend.recall.time_words import humanize_moment
from siliconfriend.recall.times import asks_only_for_time, spoken_times
from siliconfriend.texts import Language

MOST_QUOTES = 3
"""Most quotations in an answer."""

LONGEST_LINE = 120
"""Characters of a quotation in a list."""

MOST_DAYS = 7
"""Most lines of a list; of a longer period the weightiest days."""

DAY_BEGINNING = 3
"""Number of messages of a day within which what is due is asked about."""

RECENT_TURNS = 8
"""Number of the last turns whose quotations no remark brings up again."""


@dataclass(frozen=True, slots=True)
class OfflineReply:
    """The sentences of a reply and the memories it quotes."""

    sentences: tuple[str, ...]
    used: tuple[Used, ...] = ()

    def pieces(self, language: Language) -> Iterator[str]:
        """Stream the reply sentence by sentence."""
        for number, sentence in enumerate(self.sentences):
            gap = "" if not number or sentence.startswith("\n") or language == "cn" else " "
            yield gap + sentence


def reply_offline(
    message: IncomingMessage,
    retrieved: Retrieved,
    companion: str,
    talk: Sequence[Exchange] = (),
) -> OfflineReply:
    """Compose the reply to a message of a talk from what it brought to mind."""
    unkept = [it.query for it in talk if not it.id]
    return _Responder(message, retrieved, companion, unkept).reply()


class _Responder:
    """Composes the reply to one message."""

    def __init__(
        self, message: IncomingMessage, retrieved: Retrieved, companion: str, unkept: Sequence[str]
    ) -> None:
        self.message, self.retrieved, self.memory = message, retrieved, message.memory
        self.said, self.reading, self.unkept = message.text, message.reading, unkept
        self.companion, self.kind = companion, message.reading.kind(companion)
        profile = self.memory.profile
        self.today = day_of(message.now, profile.zone)
        self.keeps = message.turn is not None and not message.turn.unkept
        unseen = 0 if self.keeps else len(unkept)
        self.number = self.memory.next_position(self.today.isoformat()) + unseen
        self.days = days_remembered(self.memory)
        self.spans = retrieved.memories.spans
        self.wordings = Wordings(
            profile.language, self.today, profile.called, self.companion, self.number
        )

    def reply(self) -> OfflineReply:
        if self.kind == "greeting":
            return self._greeting()
        if self.kind in COURTESIES:
            return self._say(self.kind)
        return self._with_hint(self._with_reminder(self._answer()))

    def _with_reminder(self, reply: OfflineReply) -> OfflineReply:
        """Add what the person asked to be reminded of today, whatever the first message asks."""
        reminders = {it.turn.id for it in self.retrieved.due[:1] if it.is_reminder}
        due = self._due() if reminders - {used.id for used in reply.used} else OfflineReply(())
        return OfflineReply((*reply.sentences, *due.sentences), (*reply.used, *due.used))

    def _answer(self) -> OfflineReply:
        if self.kind in REQUESTS:
            return self._request(self.kind)
        if self.kind == "remark" or self.is_reminder:
            return self._remark()
        if self.kind == "advice":
            return self._say("cannot")
        return self._period() or self._question()

    @cached_property
    def is_reminder(self) -> bool:
        """True if the message asks to be reminded on a day, as a wish or as a question."""
        if not self.keeps or not self.reading.asks_for_reminder:
            return False
        # A question's Friday may be the last one, a reminder's is the next.
        return any(it.last >= self.today for it in find_dates_said_on(self.said, self.today))

    def _say(self, key: str) -> OfflineReply:
        return OfflineReply((self.wordings.say(key),))

    def _with_hint(self, reply: OfflineReply) -> OfflineReply:
        """Add once, on the second day of talking, that a model makes the companion talk."""
        is_second = len(self.days) == 1 and self.days[0] < self.today
        if not is_second or self.number or not self.keeps:
            return reply
        return replace(reply, sentences=(*reply.sentences, "\n\n" + self.wordings.say("hint")))

    def _greeting(self) -> OfflineReply:
        if self.message.is_first:
            return self._say("hello_new" if self.keeps else "hello_new_unkept")
        due = self._due()
        if due.sentences:
            return OfflineReply((self.wordings.say("hello"), *due.sentences), due.used)
        return self._with_hint(self._say("hello"))

    def _due(self) -> OfflineReply:
        """Ask about what is due, one matter at the beginning of a day."""
        is_beginning = self.keeps and self.number < DAY_BEGINNING
        for matter in self.retrieved.due[:1] if is_beginning else ():
            words = excerpt(matter.turn.query)
            asked = self.wordings.quote(matter.wording, matter.turn.date, words)
            return OfflineReply((asked,), (Used(matter.turn.id, 0.0),))
        return OfflineReply(())

    def _request(self, request: Kind) -> OfflineReply:
        if request == "told":
            return self._highlights()
        if request == "keeping" and not self.keeps:
            return self._say("keeping_unkept")
        moment = self.message.now.astimezone(self.memory.profile.zone)
        written = humanize_moment(moment, self.wordings.language)
        return OfflineReply((self.wordings.say(f"asked_{request}", moment=written),))

    def _highlights(self) -> OfflineReply:
        portraits = (self.memory.overall_personality, self.memory.overall_history)
        written = [it for it in portraits if it and it.provenance.made_by != OFFLINE]
        opening = self.wordings.say("asked_told")
        if written:
            words = "\n".join(["", *(it.text.strip() for it in written)])
            ids = dict.fromkeys(source for it in written for source in it.provenance.from_ids)
            return OfflineReply((opening, words), tuple(Used(it, 0.0) for it in ids))
        told = [turn for turn in self.memory.turns() if turn.trace.is_active]
        chosen = weightiest_turns(told, MOST_DAYS)
        if not chosen:
            return self._say("nothing_told")
        return self._list([(it, excerpt(it.query, longest=LONGEST_LINE)) for it in chosen], opening)

    def _question(self) -> OfflineReply:
        likely = [it for it in self._found() if it.is_likely]
        if likely:
            return self._quote(likely[:MOST_QUOTES], "told")
        for told in self.retrieved.own_story:
            if told.is_likely and not isinstance(told.memory, Turn):
                words = excerpt(told.memory.text, self.said)
                return OfflineReply((self.wordings.quote("own_story", "", words),))
        return self._said_above() or self._say("nothing")

    def _said_above(self) -> OfflineReply | None:
        """Quote the nearest words of this talk that are not kept: those of a chat begun elsewhere."""
        wanted, said = content_set(self.said), word_set(self.said)

        def likeness(words: str) -> int:
            # A Chinese noun may be too short for a content word (船): most words count too.
            shares_most = bool(said) and share_of(said, word_set(words)) > 0.5
            return len(wanted & content_set(words)) + shares_most

        told = [it for it in self.unkept if read_message(it).tells_something]
        words = max(reversed(told), default="", key=likeness)
        if not likeness(words):
            return None
        return OfflineReply((self.wordings.quote("above", "", excerpt(words, self.said)),))

    def _remark(self) -> OfflineReply:
        mood = self.reading.mood
        heard = self.wordings.say(f"kept_{mood}" if self.keeps else f"unkept_{mood}")
        if self.is_reminder:
            heard = self.wordings.say("kept_reminder")
        if self.message.unkept:
            return OfflineReply((heard,))
        if self.reading.ends_as_farewell(self.companion):
            return OfflineReply((heard, self.wordings.say("farewell")))
        due = OfflineReply(()) if mood == "heavy" else self._due()
        if due.sentences or self.is_reminder:
            return OfflineReply((heard, *due.sentences), due.used)
        # Nobody needs to be reminded of what they said today, nor that they asked for a reminder.
        lately, today = self._quoted_lately(), self.today.isoformat()
        earlier = [it for it in self._found() if it.is_likely and it.memory.date < today]
        told = [it for it in earlier if not read_message(own_words(it.memory)).asks_for_reminder]
        likely = [it for it in told if it.memory.id not in lately]
        reminder = self._quote(likely[:1], "reminds")
        return OfflineReply((heard, *reminder.sentences), reminder.used)

    def _found(self) -> list[Recalled]:
        """Return the memories and facts that tell something, likeliest first, each wording once."""
        recalled = (*self.retrieved.memories.memories, *self.retrieved.memories.facts)
        unique = dict[str, Recalled]()
        for recollection in sorted(recalled, key=lambda it: -it.likelihood):
            found = replace(recollection, memory=self._in_own_words(recollection.memory))
            if self._may_be_quoted(found.memory):
                unique.setdefault(own_words(found.memory).casefold(), found)
        return list(unique.values())

    def _in_own_words(self, memory: Memory) -> Memory:
        """Return the newest turn that a fact was taken from, in place of one that was found."""
        if not isinstance(memory, Fact) or memory.provenance.made_by == BY_PERSON:
            return memory
        turns = [it for it in map(self.memory.find, memory.provenance.from_ids) if it]
        return max(turns, key=lambda it: it.date, default=memory)

    def _may_be_quoted(self, memory: Memory) -> bool:
        """False for questions, and what another companion was told."""
        tells = not isinstance(memory, Turn) or read_message(memory.query).tells_something
        return tells and self.memory.find(memory.id) is not None

    def _quoted_lately(self) -> set[str]:
        days = (self.memory.days[day] for day in sorted(self.memory.days, reverse=True))
        turns = islice((turn for day in days for turn in reversed(day.turns)), RECENT_TURNS)
        return {used.id for turn in turns for used in turn.used}

    def _quote(self, chosen: Sequence[Recalled], key: str) -> OfflineReply:
        """Quote recalled memories, each with its day, and the turn before one without a noun."""
        sentences, used, last_day = list[str](), list[Used](), ""
        for recalled in chosen:
            memory = recalled.memory
            words = excerpt(own_words(memory), self.said)
            before = self._turn_before(memory) if Message(words).lacks_noun else None
            if before is not None:
                words = f"{excerpt(before.query)} … {words}"
                used.append(Used(before.id, 0.0))
            again = "told_same_day" if memory.date == last_day else "told_too"
            sentences.append(self._written(memory, again if sentences else key, words))
            used.append(Used(memory.id, recalled.score, recalled.parts, recalled.retention))
            last_day = memory.date
        return OfflineReply(tuple(sentences), tuple(used))

    def _written(self, memory: Memory, key: str, words: str) -> str:
        """Quote the person's words; what a model wrote stands beside its day, not as theirs."""
        if isinstance(memory, Turn) or memory.provenance.made_by in (OFFLINE, BY_PERSON):
            return self.wordings.quote(key, memory.date, words)
        return self.wordings.say("note_of_day", memory.date, words=words)

    def _turn_before(self, memory: Memory) -> Turn | None:
        if not isinstance(memory, Turn):
            return None
        for turn in reversed(self.memory.days[memory.date].turns):
            is_courtesy = read_message(turn.query).kind(self.companion) in COURTESIES
            if turn.position < memory.position and not (turn.is_left_alone or is_courtesy):
                return turn
        return None

    def _period(self) -> OfflineReply | None:
        """List the days of a period that is all a question names, and what was told of it since.

        None where the question names more, or nothing was told.
        """
        others = word_set(remove_dates(self.said, self.spans))
        if not asks_only_for_time(others, self.spans):
            return None
        if self.reading.asks_ahead:
            plans = [it.memory for it in self._found() if self._tells_ahead(it.memory)]
            quoted = [(it, excerpt(own_words(it))) for it in plans[:MOST_QUOTES]]
            return self._list(quoted) if quoted else None
        told = [self.memory.days[day.isoformat()] for day in self.days if self._is_within(day)]
        found = [words for day in told if (words := words_of_day(day))]
        if len(found) > MOST_DAYS:
            weightiest = sorted(found, key=lambda it: -sentence_weight(it[1]))[:MOST_DAYS]
            found = [it for it in found if it in weightiest]
        spoken = [it.memory for it in self._found() if it.parts.get("date", 0.0) > 0]
        found += [
            (memory, excerpt(own_words(memory)))
            for memory in spoken[:MOST_QUOTES]
            if not self._is_within(date.fromisoformat(memory.date))
        ]
        return self._list(found) if found else None

    def _tells_ahead(self, memory: Memory) -> bool:
        """Return True if a memory tells of a day to come within what the question names."""
        return any(
            max(self.today, asked.first) <= told.last and told.first <= asked.last
            for told in spoken_times(memory, self.memory.profile.zone)
            for asked in self.spans
        )

    def _is_within(self, day: date) -> bool:
        return any(
            span.first <= day <= span.last + timedelta(days=span.told_after) for span in self.spans
        )

    def _list(self, quotations: Iterable[tuple[Memory, str]], opening: str = "") -> OfflineReply:
        lines, used = [opening] if opening else [], list[Used]()
        for memory, words in quotations:
            lines.append(self._written(memory, "of_day", words))
            used.append(Used(memory.id, 0.0))
        return OfflineReply((lines[0], *(f"\n{line}" for line in lines[1:])), tuple(used))

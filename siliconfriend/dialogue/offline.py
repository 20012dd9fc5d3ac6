"""The companion without a model: it gives back what was said, with its day, and nothing else.

Every sentence is a text of ``dialogue.toml`` or the words of a memory or of the companion's own
story, woven into one by rule or quoted, so it cannot invent anything. Which of several wordings is used
follows from the day and the number of the turn: the same talk always gets the same replies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from siliconfriend.dialogue.answering import (
    asks_to_sum_up,
    choose_answer,
    known_answer,
    named_spans,
)
from siliconfriend.dialogue.excerpt import excerpt
from siliconfriend.dialogue.fact_answers import answer_of_matter
from siliconfriend.dialogue.feelings import BRIGHT, Feeling, asked_feeling
from siliconfriend.dialogue.handful import (
    choose_felt,
    choose_handful,
    choose_last,
    choose_portrait,
)
from siliconfriend.dialogue.humanize import humanize_days
from siliconfriend.dialogue.intent import Intent, asks_of_a_matter, classify_intent
from siliconfriend.dialogue.offline_context import OfflineReply, ReplyContext, used_ids, used_of
from siliconfriend.dialogue.open_matters import DueMatter, find_unsettled, settles, unsettled_in
from siliconfriend.dialogue.quoting import Quoter
from siliconfriend.dialogue.reminding import Reminder, choose_reminder
from siliconfriend.dialogue.small_talk import greet, part, says_hello
from siliconfriend.dialogue.told_words import said_words, tells_something
from siliconfriend.dialogue.tone import Tone, tone_of
from siliconfriend.dialogue.untold import untold_whom
from siliconfriend.dialogue.wording import Wordings
from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import ends_as_question, split_sentences
from siliconfriend.language.word_coverage import content_forms, held_in
from siliconfriend.language.word_lists import matches
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.recall.cue import asks_memory
from siliconfriend.recall.introductions import asked_of
from siliconfriend.recall.spoken_times import spoken_times_in

BEGINNING = 3
"""Among so many first messages of a day what is due is asked about."""

_MOODS: Mapping[Tone, str] = {
    "plain": "",
    "bright": "_bright",
    "weary": "_weary",
    "heavy": "_heavy",
    "grave": "_heavy",
}
"""The suffix of the wordings that suit what was said."""

_COMMA = re.compile("[,，;；、]")
_HARD = ("_weary", "_heavy")
"""Those for what is no time to ask about something else."""

_DUE = (
    *("due_today", "due_during", "due_soon", "due_past"),
    *("due_grave", "due_birthday", "due_feast"),
)
_UNSETTLED = ("ask_lost", "ask_waiting")
"""Wordings that ask about what is due, and about what was left open."""


def reply_offline(context: ReplyContext) -> OfflineReply:
    """Compose the reply to what was said."""
    return _OfflineResponder(context).reply()


class _OfflineResponder:
    """Composes one reply, by the intent of what was said."""

    def __init__(self, context: ReplyContext) -> None:
        self._context = context
        self._wordings = Wordings(context)
        self._quoter = Quoter(context.said, self._wordings)

    def reply(self) -> OfflineReply:
        intent = classify_intent(self._context.said, self._context.companion_name)
        if asked_of(self._context.said) or asks_to_sum_up(self._context):
            return self._question()
        if feeling := asked_feeling(self._context.said, named_spans(self._context)):
            return self._most(feeling)
        if intent in ("question", "statement"):
            intent = "question" if _asks(self._context.said, intent) else "statement"
        if intent == "greeting":
            return self._greeting()
        if intent == "told" and self._asks_for_all():
            return self._handful("told_all")
        if intent == "portrait":
            return self._portrait()
        if intent in ("question", "told"):
            return self._question()
        if intent == "recollection":
            return self._recollection()
        if intent == "advice":
            return self._advice()
        if intent == "request":
            return self._request()
        if intent == "statement":
            return self._statement()
        if intent == "farewell":
            return OfflineReply((part(self._context, self._wordings),))
        return OfflineReply((self._wordings.say(intent),))

    def _asks_for_all(self) -> bool:
        """True if all that was told is asked for, and not what was told of a day or a matter."""
        return not asks_of_a_matter(self._context.said) and not named_spans(self._context)

    def _greeting(self) -> OfflineReply:
        """Greet, and go on from what is due or from where they stopped."""
        if self._context.is_newcomer:
            return OfflineReply((self._wordings.say("hello_new"),))
        hello = greet(self._context, self._wordings)
        if not says_hello(self._context):
            return OfflineReply(tuple(hello))
        matter = self._due_now()
        if matter is not None:
            return OfflineReply((*hello, self._ask_due(matter)), used_ids(matter.turn.id))
        memory = self._context.memory
        last = choose_last(memory)
        is_of_today = last is not None and date.fromisoformat(last.date) >= self._context.today
        if last is None or is_of_today or self._context.number >= BEGINNING:
            return OfflineReply(tuple(hello))
        is_last_day = last.date == max(day for day, it in memory.days.items() if it.turns)
        key = "last_time" if is_last_day else "earlier_time"
        words = excerpt(said_words(last), frozenset())
        return OfflineReply(
            (*hello, self._wordings.say(key, last.date, words=words)), used_ids(last.id)
        )

    def _portrait(self) -> OfflineReply:
        """Give the picture that a model made; else a handful of what was told.

        What a night counts without a model is for the portrait's page, and no way to speak.
        """
        memory = self._context.memory
        overall = [it for it in (memory.overall_personality, memory.overall_history) if it]
        if all(it.provenance.made_by == OFFLINE for it in overall):
            return self._handful("portrait" if overall else "portrait_later", choose_portrait)
        words = "\n".join(["", *(portrait.text.strip() for portrait in overall)])
        from_ids = dict.fromkeys(
            source for portrait in overall for source in portrait.provenance.from_ids
        )
        return OfflineReply((self._wordings.say("portrait"), words), used_ids(*from_ids))

    def _handful(
        self,
        opening: str,
        choose: Callable[[PersonMemory], Sequence[Turn]] = choose_handful,
    ) -> OfflineReply:
        """Say a handful of what was told, the dearest and the latest."""
        chosen = choose(self._context.memory)
        if not chosen:
            return OfflineReply((self._wordings.say("nothing_told"),))
        quotes = self._quoter.quote_turns(chosen)
        return OfflineReply(
            (self._wordings.say(opening), *quotes), used_ids(*(turn.id for turn in chosen))
        )

    def _question(self) -> OfflineReply:
        """Quote what answers the question; what only comes near is called so."""
        answer = answer_of_matter(self._context) or choose_answer(self._context, self._quoter)
        if answer.certainty != "sure":
            answer = known_answer(self._context, self._quoter) or answer
        whom = untold_whom(self._context, answer)
        if whom:
            return OfflineReply((self._wordings.say("untold_of", whom=whom),))
        told = bool(answer.found) and self._quoter.shared(answer.found[0].memory) > 0
        told = told or bool(self._context.answers)
        if self._context.own_story and not told:
            story = self._context.own_story[0]
            return OfflineReply((self._wordings.say("own_story", words=story),))
        if not answer.found:
            return OfflineReply((self._wordings.say("nothing"),))
        is_dim = any(it.state != "vivid" for it in answer.found)
        opening = answer.certainty + ("_dim" if is_dim else "")
        openings = [] if opening == "sure" else [self._wordings.say(opening)]
        quotes = self._quoter.quote_all(answer.found)
        return OfflineReply((*openings, *quotes), used_of(answer.found))

    def _recollection(self) -> OfflineReply:
        """Tell something bright that was told; say so where there was nothing."""
        lately = [it.response for it in self._context.earlier]
        chosen = choose_felt(self._context.memory, BRIGHT, lately=lately)
        if not chosen:
            return OfflineReply((self._wordings.say("nothing_bright"),))
        quotes = self._quoter.quote_turns(chosen)
        return OfflineReply(
            (self._wordings.say("recollection"), *quotes), used_ids(*(it.id for it in chosen))
        )

    def _most(self, feeling: Feeling) -> OfflineReply:
        """Tell what was saddest, happiest or most of whatever is asked; say so where nothing was."""
        spans = named_spans(self._context)
        of_time = {it.memory.id for it in self._context.found if it.parts.get("date", 0.0) > 0}
        chosen = choose_felt(
            self._context.memory, feeling, spans, of_time if spans else (), archived=True
        )
        if not chosen:
            return OfflineReply((self._wordings.say("nothing_felt"),))
        is_guess = bool(feeling.mood and feeling.place(chosen[0].query))
        opening = "unsure" if is_guess else feeling.opening
        if not opening and any(it.trace.archived for it in chosen):
            opening = "sure_dim"
        openings = [self._wordings.say(opening)] if opening else []
        quotes = self._quoter.quote_turns(chosen)
        return OfflineReply((*openings, *quotes), used_ids(*(it.id for it in chosen)))

    def _advice(self) -> OfflineReply:
        """Say that it has no advice, beside whoever asks, with what bears on the matter."""
        told = self._borne_in_mind()
        weighs = tone_of(self._context.said) in ("heavy", "grave") or (
            told is not None and tone_of(told.query) in ("heavy", "grave")
        )
        says = self._wordings.say("advice_heavy" if weighs else "advice")
        if told is None:
            return OfflineReply((says,))
        return OfflineReply((self._remind("reminds_heavy", told), says), used_ids(told.id))

    def _borne_in_mind(self) -> Turn | None:
        """What was told just before, or else what shares the most with a matter that is named."""
        context = self._context
        just = context.memory.find(context.earlier[-1].id) if context.earlier else None
        is_of_today = just is not None and just.date == context.today.isoformat()
        if is_of_today and isinstance(just, Turn) and tells_something(just.query):
            return just
        likely = [
            it for it in context.found if context.judged.likelihood(it) >= context.judged.some
        ]
        about = content_forms(context.said)
        telling = [
            it.memory
            for it in sorted(likely, key=lambda it: -context.judged.likelihood(it))
            if isinstance(it.memory, Turn)
            and tells_something(it.memory.query)
            and held_in(it.memory.query, about)
        ]
        return telling[0] if telling else None

    def _request(self) -> OfflineReply:
        """Say what it cannot do, and what of the matter it was told."""
        found = choose_reminder(self._context).found[:1]
        quotes = self._quoter.quote_all(found)
        return OfflineReply((self._wordings.say("cannot"), *quotes), used_of(found))

    def _statement(self) -> OfflineReply:
        """Acknowledge what was told, by its mood, with what is due or strongly comes to mind."""
        mood = _MOODS[tone_of(self._context.said)]
        if self._context.is_newcomer:
            key = "kept_new_heavy" if mood == "_heavy" else "kept_new"
            return OfflineReply((self._wordings.say(key),))
        if self._context.unkept:
            return OfflineReply((self._kept(mood),))
        if matches("dialogue", "signs.birthday_today", fold(self._context.said)):
            return OfflineReply((self._wordings.say("kept_birthday"),))
        matter = None if mood in _HARD else self._due_now()
        if matter is not None:
            return OfflineReply((self._kept(mood), self._ask_due(matter)), used_ids(matter.turn.id))
        reminder = choose_reminder(self._context)
        if not reminder.found:
            return OfflineReply((self._kept(mood),))
        return self._reminder(reminder, "_heavy" if mood in _HARD else mood)

    def _kept(self, mood: str) -> str:
        """Say that it is kept, in words that suit what was told."""
        said = self._context.said
        if mood not in _HARD and self._answers_last():
            return self._wordings.say("kept_asked")
        unsettled = unsettled_in(said)
        if unsettled and mood != "_bright":
            return self._wordings.say(f"kept_{unsettled}")
        today = self._context.today
        ahead = [days for days in spoken_times_in(said, today) if days.first > today]
        if ahead and not mood:
            due = humanize_days(*ahead[0], today, self._context.language)
            return self._wordings.say("kept_ahead", due=due)
        return self._wordings.say(f"kept{mood}")

    def _answers_last(self) -> bool:
        """True if these words speak of what the last reply asked about, or what was said first."""
        about = content_forms(self._context.said)
        if any(held_in(turn.query, about) for turn in self._context.said_first):
            return True
        if not self._wordings.was_said(*_DUE, *_UNSETTLED):
            return False
        is_about = bool(held_in(self._context.earlier[-1].response, about))
        return is_about or matches("dialogue", "signs.answers", fold(self._context.said))

    def _reminder(self, reminder: Reminder, mood: str) -> OfflineReply:
        """Say what came to mind; ask about it where it was left open."""
        first, *others = reminder.found
        is_soft = reminder.tone == "grave" and not mood
        key = "reminds_softly" if is_soft else f"reminds{mood}"
        quotes = [self._remind(key, first.memory)]
        unsettled = None
        if isinstance(first.memory, Turn):
            unsettled = find_unsettled(first.memory, self._context.memory)
            if unsettled and settles(self._context.said, unsettled, first.memory):
                quotes.insert(0, self._wordings.say("found_again"))
            elif unsettled:
                quotes.append(self._wordings.say(f"ask_{unsettled}"))
        if unsettled:
            others = []
        heard = [self._wordings.say(f"heard{mood}")] if mood else []
        too = [self._remind("reminds_too", it.memory) for it in others]
        return OfflineReply((*heard, *quotes, *too), used_of([first, *others]))

    def _remind(self, key: str, memory: Memory) -> str:
        return self._wordings.say(key, memory.date, words=self._quoter.words(memory))

    def _due_now(self) -> DueMatter | None:
        """What is asked about at the beginning of a day, one thing at a time."""
        number = self._context.number
        if number >= BEGINNING or (number and self._wordings.was_said(*_DUE)):
            return None
        return next(iter(self._context.due), None)

    def _ask_due(self, matter: DueMatter) -> str:
        """Ask about something due, more quietly where it is grave."""
        is_grave = tone_of(matter.turn.query) == "grave"
        key = "due_grave" if is_grave else f"due_{matter.when}"
        if matter.when == "today" and not is_grave:
            key = _due_on_its_day(matter.turn.query)
        words = excerpt(said_words(matter.turn), frozenset())
        return self._wordings.say(key, matter.turn.date, words=words)


def _due_on_its_day(told: str) -> str:
    """The wordings for a matter whose day has come: a birthday is nobody's worry."""
    plain = fold(told)
    if matches("dialogue", "signs.own_birthday", plain):
        return "due_birthday"
    return "due_feast" if matches("dialogue", "signs.birthday", plain) else "due_today"


def _asks(said: str, intent: Intent) -> bool:
    """True for what asks, with a mark or without; not for "I do not know what to eat.".

    What reads as a statement asks by a question word alone (我现在做什么工作) only in one clause:
    in a longer one the word may stand for anything (看了场电影，叫啥忘了).
    """
    last = next(reversed(split_sentences(said)), "")
    is_clear = intent == "question" or not _COMMA.search(said)
    return is_clear and (ends_as_question(last) or asks_memory(said))

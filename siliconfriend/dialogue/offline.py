"""The companion without a model: it gives back what was said, with its day, and nothing else.

Every sentence is a text of ``dialogue.toml`` or a quotation, of a memory or of the
companion's own story, so it cannot invent anything. Which of several wordings is used
follows from the day and the number of the turn: the same talk always gets the same replies.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import islice

from siliconfriend.dialogue.answering import choose_answer
from siliconfriend.dialogue.excerpt import excerpt
from siliconfriend.dialogue.intent import Intent, classify_intent
from siliconfriend.dialogue.offline_context import OfflineReply, ReplyContext, used_ids, used_of
from siliconfriend.dialogue.quoting import Quoter
from siliconfriend.dialogue.reminding import choose_reminder, tone_of
from siliconfriend.dialogue.wording import Wordings
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.texts import text


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
            return text("dialogue", "offline.crisis", self._context.language)
        return self._wordings.say(key)

    def _greeting(self) -> OfflineReply:
        if self._context.is_newcomer:
            return OfflineReply((self._wordings.say("hello_new"),))
        hello = self._wordings.say("hello_again")
        last = next(self._latest(), None)
        if last is None or date.fromisoformat(last.date) >= self._context.today:
            return OfflineReply((hello,))
        words = excerpt(last.query, frozenset())
        return OfflineReply(
            (hello, self._wordings.say("last_time", last.date, words=words)), used_ids(last.id)
        )

    def _portrait(self) -> OfflineReply:
        memory = self._context.memory
        overall = [it for it in (memory.overall_personality, memory.overall_history) if it]
        if overall:
            words = "\n".join(["", *(portrait.text.strip() for portrait in overall)])
            from_ids = dict.fromkeys(
                source for portrait in overall for source in portrait.provenance.from_ids
            )
            return OfflineReply((self._wordings.say("portrait"), words), used_ids(*from_ids))
        told = list(self._latest())
        before = (turn for turn in told if turn.date < self._context.today.isoformat())
        latest = list(islice(before, 2)) or told[:2]
        if not latest:
            return OfflineReply((self._wordings.say("nothing"),))
        quotes = [
            self._wordings.say(key, turn.date, words=excerpt(turn.query, frozenset()))
            for key, turn in zip(("told", "told_too"), latest, strict=False)
        ]
        sentences = (self._wordings.say("portrait_later"), *quotes)
        return OfflineReply(sentences, used_ids(*(turn.id for turn in latest)))

    def _latest(self) -> Iterator[Turn]:
        """The person's statements, latest first: no questions, no greetings, nothing archived."""
        turns = list(self._context.memory.turns())
        for turn in reversed(turns):
            if turn.trace.archived is None and classify_intent(turn.query) == "statement":
                yield turn

    def _question(self) -> OfflineReply:
        """Quote what answers the question; what only comes near is called so."""
        answer = choose_answer(self._context, self._quoter)
        told = bool(answer.found) and self._quoter.shared(answer.found[0].memory) > 0
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

    def _request(self) -> OfflineReply:
        """Say what it cannot do, and what of the matter it was told."""
        found = choose_reminder(self._context).found[:1]
        quotes = self._quoter.quote_all(found)
        return OfflineReply((self._wordings.say("cannot"), *quotes), used_of(found))

    def _statement(self) -> OfflineReply:
        """Acknowledge what was told, by its mood, with what it strongly brings to mind."""
        if self._context.is_newcomer:
            return OfflineReply((self._wordings.say("kept_new"),))
        tone = tone_of(self._context.said)
        mood = {"plain": "", "bright": "_bright", "heavy": "_heavy", "grave": "_heavy"}[tone]
        reminder = choose_reminder(self._context)
        if not reminder.found:
            return OfflineReply((self._wordings.say(f"kept{mood}"),))
        first, *others = reminder.found
        is_soft = reminder.tone in ("heavy", "grave") and not mood
        key = "reminds_softly" if is_soft else f"reminds{mood}"
        quotes = [self._remind(key, first.memory)]
        quotes += [self._remind("reminds_too", it.memory) for it in others]
        heard = [self._wordings.say(f"heard{mood}")] if mood else []
        return OfflineReply((*heard, *quotes), used_of(reminder.found))

    def _remind(self, key: str, memory: Memory) -> str:
        return self._wordings.say(key, memory.date, words=self._quoter.words(memory))

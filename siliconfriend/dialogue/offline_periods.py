"""Offline answers about a day, a week, what is to come, or everything that was told."""

from __future__ import annotations

from datetime import date, timedelta

from siliconfriend.dialogue.offline_answers import MOST_QUOTES
from siliconfriend.dialogue.offline_situation import OfflineReply, Situation
from siliconfriend.extraction.day_sentences import sentence_weight, weightiest_turns, words_of_day
from siliconfriend.language.sentences import excerpt
from siliconfriend.language.words import word_set
from siliconfriend.memory.knowledge import OFFLINE, Used
from siliconfriend.memory.records import Memory
from siliconfriend.recall.cue import remove_dates
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.times import asks_only_for_time, spoken_times

LONGEST_LINE = 120
"""Characters of a quotation in a list of days."""

MOST_DAYS = 7
"""Most lines of a list; of a longer period the weightiest days."""


def answer_period(situation: Situation) -> OfflineReply | None:
    """List the days of a period that is all a question names, and what was told of it since.

    None where the question names more, or nothing was told.
    """
    others = word_set(remove_dates(situation.said, situation.spans))
    if not asks_only_for_time(others, situation.spans):
        return None
    memory = situation.memory
    if situation.reading.asks_ahead:
        plans = [it.memory for it in situation.found if _tells_ahead(situation, it.memory)]
        quoted = [(it, excerpt(own_words(it))) for it in plans[:MOST_QUOTES]]
        return situation.list_days(quoted) if quoted else None
    told = [memory.days[day.isoformat()] for day in situation.days if _is_within(situation, day)]
    found = [words for day in told if (words := words_of_day(day))]
    if len(found) > MOST_DAYS:
        weightiest = sorted(found, key=lambda it: -sentence_weight(it[1]))[:MOST_DAYS]
        found = [it for it in found if it in weightiest]
    spoken = [it.memory for it in situation.found if it.parts.get("date", 0.0) > 0]
    found += [
        (memory, excerpt(own_words(memory)))
        for memory in spoken[:MOST_QUOTES]
        if not _is_within(situation, date.fromisoformat(memory.date))
    ]
    return situation.list_days(found) if found else None


def answer_everything(situation: Situation) -> OfflineReply:
    """Tell what is known of the person: a model's portrait, else the weightiest things told."""
    memory = situation.memory
    portraits = (memory.overall_personality, memory.overall_history)
    written = [it for it in portraits if it and it.provenance.made_by != OFFLINE]
    opening = situation.wordings.say("asked_told")
    if written:
        words = "\n".join(["", *(it.text.strip() for it in written)])
        ids = dict.fromkeys(source for it in written for source in it.provenance.from_ids)
        return OfflineReply((opening, words), tuple(Used(it, 0.0) for it in ids), "sure")
    told = [turn for turn in memory.turns() if turn.trace.is_active]
    chosen = weightiest_turns(told, MOST_DAYS)
    if not chosen:
        return situation.say("nothing_told")
    lines = [(turn, excerpt(turn.query, longest=LONGEST_LINE)) for turn in chosen]
    return situation.list_days(lines, opening)


def _tells_ahead(situation: Situation, memory: Memory) -> bool:
    """Return True if a memory tells of a day to come within what the question names."""
    return any(
        max(situation.today, asked.first) <= told.last and told.first <= asked.last
        for told in spoken_times(memory, situation.memory.profile.zone)
        for asked in situation.spans
    )


def _is_within(situation: Situation, day: date) -> bool:
    return any(
        span.first <= day <= span.last + timedelta(days=span.told_after) for span in situation.spans
    )

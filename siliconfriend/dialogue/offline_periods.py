"""Offline answers about a day, a week, future plans, elapsed time, or all memories."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from siliconfriend.dialogue.offline_answers import MOST_QUOTES, related
from siliconfriend.dialogue.offline_situation import OfflineReply, Situation, tells
from siliconfriend.extraction.day_sentences import sentence_weight, weightiest_turns
from siliconfriend.language.characters import fold
from siliconfriend.language.message import read_message
from siliconfriend.language.sentences import excerpt
from siliconfriend.language.word_lists import all_matches
from siliconfriend.language.words import word_set
from siliconfriend.memory.knowledge import OFFLINE, Used
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.cue import find_names, remove_dates
from siliconfriend.recall.dates import DateSpan, find_dates_said_on
from siliconfriend.recall.dates.calendar import WEEK
from siliconfriend.recall.dates.tense import side_of
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.elapsed import answer_time_question, read_time_question
from siliconfriend.recall.times import asks_only_for_time, tokens_of_anything

LONGEST_LINE = 120
"""Characters of a quotation in a list of days."""

FEW_DAYS = 3
"""Maximum length of a period, in days, with several entries per day."""

MOST_DAYS = 7
"""Maximum lines of a list; a longer period shows the weightiest days."""


def answer_period(situation: Situation) -> OfflineReply | None:
    """List the days of a period if the question names nothing else, and later mentions of it.

    What was told on other days about the period is left out if the question asks for what was told
    in it. None if the question names more, or there are no memories of the period.
    """
    undated = remove_dates(situation.said, situation.spans)
    others = word_set(undated)
    is_of_days = asks_only_for_time(others, situation.spans)
    ahead = [span for span in situation.spans if span.last > situation.today]
    begins = min((span.first for span in situation.spans), default=situation.today)
    is_ahead = situation.reading.asks_ahead or (bool(ahead) and begins >= situation.today)
    is_of_future = is_ahead and others <= tokens_of_anything()
    is_of_period = situation.act == "period" and not find_names(undated)
    # "And when are they coming?" asks on about something else.
    is_follow_up = situation.reading.lacks_noun and bool(situation.talk)
    if is_follow_up or not (is_of_days or is_of_future or is_of_period):
        return None
    if is_ahead:
        return _plans(situation, ahead)
    days = [day.isoformat() for day in situation.days if _is_within(situation, day)]
    each = 1 if len(days) > FEW_DAYS else MOST_QUOTES
    found = [line for day in days for line in _weightiest(situation, day, each)]
    if len(found) > MOST_DAYS:
        weightiest = sorted(found, key=lambda entry: -sentence_weight(entry[1]))[:MOST_DAYS]
        found = [entry for entry in found if entry in weightiest]
    has_begun = any(span.first <= situation.today for span in situation.spans)
    if has_begun and situation.reading.has_sign("talk"):
        if not found:
            return situation.say("nothing")
    else:
        spoken = [
            recalled.memory for recalled in situation.found if recalled.parts.get("date", 0.0) > 0
        ]
        found += [
            (memory, excerpt(own_words(memory)))
            for memory in spoken[:MOST_QUOTES]
            if not _is_within(situation, date.fromisoformat(memory.date))
        ]
    if not found:
        return None
    shown = {memory.id for memory, _ in found}
    left = sum(turn.id not in shown for day in days for turn in _telling(situation, day))
    more = situation.wordings.say("and_more", count=left) if left else ""
    return situation.list_days(found).with_more(OfflineReply((f"\n{more}",) if more else ()))


def _telling(situation: Situation, day: str) -> list[Turn]:
    """Return the turns of a day that tell something."""
    turns = situation.memory.days[day].turns
    return weightiest_turns(situation.told_by(turns), len(turns))


def _plans(situation: Situation, spans: Sequence[DateSpan]) -> OfflineReply | None:
    """List plans for some days, else all future ones, and what recurs then; or reminders alone."""
    is_of_reminders = situation.reading.asks_of_reminders
    plans = [
        plan
        for plan in situation.retrieved.planned
        if plan.last >= situation.today
        and situation.may_come_up(plan.memory)
        and (not is_of_reminders or read_message(own_words(plan.memory)).asks_for_reminder)
        and (
            not spans or any(plan.first <= span.last and span.first <= plan.last for span in spans)
        )
    ]
    by_memory: dict[str, Memory] = {plan.memory.id: plan.memory for plan in plans}
    if not is_of_reminders:
        by_memory |= {turn.id: turn for turn in _recurring(situation, spans)}
    lines = [(memory, excerpt(own_words(memory))) for memory in by_memory.values()]
    return situation.list_days(lines[:MOST_DAYS]) if lines else None


def _recurring(situation: Situation, spans: Sequence[DateSpan]) -> list[Turn]:
    """Return the newest turns about what recurs on some days: "every other Wednesday"."""
    is_long = not spans or any(span.length >= WEEK.days for span in spans)
    weekdays = {span.first.weekday() for span in spans} | {span.last.weekday() for span in spans}
    told = []
    for turn in situation.memory.turns():
        words = fold(turn.query)
        named = [
            day
            for day in all_matches("tense", "scheduled", words)
            if side_of(words, at := words.find(day), at + len(day)) != "behind"
        ]
        if not named or turn.outdated_by or not tells(turn):
            continue
        if is_long or weekdays & _weekdays(named, situation.today):
            told.append(turn)
    return situation.told_by(told)[-MOST_QUOTES:]


def _weekdays(named: Iterable[str], today: date) -> set[int]:
    """Return the weekdays that words such as "every Tuesday" or "on Fridays" name."""
    last = (words.split()[-1].rstrip("s").lstrip("每隔逢一两三四几个") for words in named)
    days = (find_dates_said_on(f"on {weekday}", today) for weekday in last)
    return {span.first.weekday() for spans in days for span in spans}


def _weightiest(situation: Situation, day: str, most: int) -> list[tuple[Memory, str]]:
    """Return the summary that a model wrote of a day, else the weightiest things told on it."""
    told = situation.memory.days[day]
    summary = told.summary
    is_written = summary and summary.trace.is_active and summary.provenance.made_by != OFFLINE
    if summary and is_written and situation.may_come_up(summary):
        return [(summary, summary.text)]
    turns = weightiest_turns(_telling(situation, day), most)
    return [(turn, excerpt(turn.query)) for turn in turns]


def answer_everything(situation: Situation) -> OfflineReply:
    """Describe the person: a model's portrait, else the weightiest memories without reminders."""
    memory = situation.memory
    portraits = (memory.overall_personality, memory.overall_history)
    written = [
        portrait for portrait in portraits if portrait and portrait.provenance.made_by != OFFLINE
    ]
    written = list(filter(situation.may_come_up, written))
    opening = situation.wordings.say("asked_told")
    if written:
        words = "\n".join(["", *(portrait.text.strip() for portrait in written)])
        ids = dict.fromkeys(
            source for portrait in written for source in portrait.provenance.from_ids
        )
        return OfflineReply((opening, words), tuple(Used(source, 0.0) for source in ids), "sure")
    told = situation.told_by(
        turn
        for turn in memory.turns()
        if turn.trace.is_active and not read_message(turn.query).asks_for_reminder
    )
    chosen = weightiest_turns(told, MOST_DAYS)
    if not chosen:
        return situation.say("nothing_told")
    lines = [(turn, excerpt(turn.query, longest=LONGEST_LINE)) for turn in chosen]
    return situation.list_days(lines, opening)


def _is_within(situation: Situation, day: date) -> bool:
    return any(
        span.first <= day <= span.last + timedelta(days=span.told_after) for span in situation.spans
    )


def answer_time(situation: Situation) -> OfflineReply | None:
    """Answer a time question from recalled memories; None if it is not computable."""
    question = read_time_question(situation.said)
    if question is None:
        return None
    near = {
        situation.first_told(found.memory).id: found
        for found in reversed(related(situation))
        if isinstance(found.memory, Turn)
    }
    ranked = [
        turn for id_ in reversed(near) if isinstance(turn := situation.memory.find(id_), Turn)
    ]
    answer = answer_time_question(question, ranked, situation.memory, situation.today)
    if answer is None:
        return None
    if not answer.memories:
        return OfflineReply((answer.words,), certainty="sure")
    found = [near[memory.id] for memory in answer.memories]
    if any(recalled.is_likely for recalled in found):
        quoted = situation.quote_in_sentences(found, "told")
        return OfflineReply((answer.words, *quoted.sentences), quoted.used, quoted.certainty)
    # Quote an uncertain memory before the result computed from it.
    quoted = situation.quote_in_lines(found, situation.wordings.say("closest"))
    return OfflineReply((*quoted.sentences, f"\n{answer.words}"), quoted.used, quoted.certainty)

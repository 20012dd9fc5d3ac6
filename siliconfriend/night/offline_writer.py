"""The writer that needs no model: it quotes, counts, and makes nothing up.

A day's summary is its most central sentences in the person's own words; a portrait is
what returns on several days, each with its days. The strategy is one of a few fixed
sentences, chosen by what was counted. All of it is marked as made offline and is written
anew by a model once there is one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from siliconfriend.extraction.extractor import Subject
from siliconfriend.language.content_words import is_small_talk
from siliconfriend.language.sentences import ends_as_question, split_sentences
from siliconfriend.language.word_lists import word_list
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.provenance import BY_PERSON
from siliconfriend.memory.records import Day, Turn
from siliconfriend.moods import Mood, moods_of
from siliconfriend.night.centrality import most_central
from siliconfriend.night.formatting import format_date, format_dates, join_items
from siliconfriend.night.recurring_terms import themes_of
from siliconfriend.night.writer import OFFLINE, DayTexts, Portrayal
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.texts import Language, text

FEWEST, MOST = 2, 5
"""Sentences of a day that its summary quotes: a third of what was told, between these."""
LONGEST_QUOTE = 240
"""Characters after which a quoted sentence is cut, with an ellipsis."""
HISTORY_SENTENCES = 12
DAY_THEMES, OVERALL_THEMES = 4, 6


class OfflineWriter:
    """Writes from the person's own sentences.

    Args:
        embedder: says which sentences are central; without one, shared words do.
    """

    made_by = OFFLINE

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = None if embedder is None else CachedEmbedder(embedder)

    def day(self, subject: Subject, day: Day) -> DayTexts:
        """Both texts of the day."""
        return DayTexts(self.day_summary(subject, day), self.day_personality(subject, day))

    def day_summary(self, subject: Subject, day: Day) -> str:
        """The most central sentences of the day, quoted, in their order."""
        language, person = subject.language, subject.person
        told, asked = _told(day), _asked(day)
        lines = []
        if told:
            quotes = _quotes(self._central(told), language)
            lines.append(text("night", "offline.said", language, person=person, quotes=quotes))
        if asked and len(told) < FEWEST:
            key = "offline.asked_too" if told else "offline.asked"
            quotes = _quotes(self._central(asked), language)
            lines.append(text("night", key, language, person=person, quotes=quotes))
        if lines:
            return text("night", "offline.between", language).join(lines)
        anything = [it for turn in _telling(day) for it in split_sentences(turn.query)]
        if day.turns and not anything:
            return text("night", "offline.looked_back", language, person=person)
        if not anything:
            return text("night", "offline.nothing", language)
        quotes = _quotes(self._central(anything), language)
        return text("night", "offline.said", language, person=person, quotes=quotes)

    def day_personality(self, subject: Subject, day: Day) -> Portrayal:
        """What was spoken of, the words of mood, and a strategy that suits them."""
        language = subject.language
        spoken = _spoken(day)
        themes = [it.name for it in themes_of({day.date: spoken}, most=DAY_THEMES)]
        moods = moods_of(spoken)
        traits, mood = "offline.traits_none", "offline.mood_none"
        if themes:
            traits = "offline.traits"
        if moods:
            mood = "offline.mood"
        named = [_mood_with_words(it, spoken, language) for it, _ in moods.most_common(3)]
        return Portrayal(
            traits=text("night", traits, language, themes=join_items(themes, language)),
            mood=text("night", mood, language, moods=join_items(named, language, semicolon=True)),
            strategy=_strategy(moods, spoken, language),
        )

    def overall_history(self, subject: Subject, days: Sequence[Day]) -> str:
        """How long they have talked, and the most central sentences with their days.

        A day whose summary the person put right is told by that summary.
        """
        language = subject.language
        by_day = {day.date: split_sentences(right) for day in days if (right := _put_right(day))}
        told = [
            (day.date, sentence)
            for day in days
            if day.date not in by_day
            for sentence in self._central(_told(day))
        ]
        chosen = most_central([it for _, it in told], HISTORY_SENTENCES, self._embedder)
        for at in chosen:
            by_day.setdefault(told[at][0], []).append(told[at][1])
        first, last = (format_date(days[at].date, language) for at in (0, -1))
        key = "offline.history" if len(days) > 1 else "offline.history_one"
        lines = [
            text(
                "night",
                key,
                language,
                person=subject.person,
                count=len(days),
                first=first,
                last=last,
            )
        ]
        if by_day:
            lines = [text("night", "offline.history_words", language, history=lines[0])]
        for date, sentences in sorted(by_day.items()):
            day, quotes = format_date(date, language), _quotes(sentences, language)
            lines.append(text("night", "offline.history_line", language, date=day, quotes=quotes))
        return "\n".join(lines)

    def overall_personality(
        self, subject: Subject, days: Sequence[Day], topics: Sequence[Topic] = ()
    ) -> str:
        """Themes and moods that return, each with its days, and a strategy that suits them.

        What returns is counted in the days themselves, so the topics add nothing here.
        """
        language = subject.language
        spoken = {day.date: _spoken(day) for day in days}
        themes = [
            _with_days(theme.name, theme.days, language)
            for theme in themes_of(spoken, most=OVERALL_THEMES, least_days=2)
        ]
        moods = _returning_moods(spoken)
        named = [_with_days(mood.name(language), dates, language) for mood, dates in moods.items()]
        counted = Counter({mood: len(dates) for mood, dates in moods.items()})
        everything = [sentence for sentences in spoken.values() for sentence in sentences]
        themes_key = "offline.themes" if themes else "offline.themes_none"
        moods_key = "offline.moods" if named else "offline.moods_none"
        strategy = _strategy(counted, everything, language)
        return "\n".join(
            (
                text(
                    "night",
                    themes_key,
                    language,
                    themes=join_items(themes, language, semicolon=True),
                ),
                text(
                    "night", moods_key, language, moods=join_items(named, language, semicolon=True)
                ),
                text("night", "offline.strategy", language, strategy=strategy),
            )
        )

    def _central(self, sentences: list[str]) -> list[str]:
        count = min(max(math.ceil(len(sentences) / 3), FEWEST), MOST)
        return [sentences[at] for at in most_central(sentences, count, self._embedder)]


def _spoken(day: Day) -> list[str]:
    """The person's sentences that say something, each once."""
    found = (
        it for turn in _telling(day) for it in split_sentences(turn.query) if not is_small_talk(it)
    )
    return list(dict.fromkeys(found))


def _telling(day: Day) -> list[Turn]:
    """The turns but for those that only ask about the past: told again, they would bury it."""
    return [turn for turn in day.turns if turn.index_text != ""]


def _put_right(day: Day) -> str:
    """The day's summary where the person corrected it, else nothing."""
    summary = day.summary
    return summary.text if summary is not None and summary.provenance.made_by == BY_PERSON else ""


def _told(day: Day) -> list[str]:
    return [it for it in _spoken(day) if not ends_as_question(it)]


def _asked(day: Day) -> list[str]:
    return [it for it in _spoken(day) if ends_as_question(it)]


def _quotes(sentences: Iterable[str], language: Language) -> str:
    quoted = [text("night", "offline.quote", language, words=_cut(it)) for it in sentences]
    return text("night", "offline.between", language).join(quoted)


def _cut(sentence: str) -> str:
    if len(sentence) <= LONGEST_QUOTE:
        return sentence
    return sentence[:LONGEST_QUOTE].rsplit(" ", 1)[0].rstrip() + "…"


def _mood_with_words(mood: Mood, spoken: Iterable[str], language: Language) -> str:
    words = next(it for it in spoken if mood in moods_of([it]))
    quote = text("night", "offline.quote", language, words=_cut(words))
    return text("night", "offline.mood_with_words", language, mood=mood.name(language), quote=quote)


def _returning_moods(spoken: Mapping[str, Iterable[str]]) -> dict[Mood, list[str]]:
    """The moods of two days and more with their dates, those of most days first."""
    dates: dict[Mood, list[str]] = {}
    for date, sentences in spoken.items():
        for mood in moods_of(sentences):
            dates.setdefault(mood, []).append(date)
    returning = {mood: its for mood, its in dates.items() if len(its) > 1}
    return dict(sorted(returning.items(), key=lambda it: -len(it[1])))


def _with_days(name: str, dates: Sequence[str], language: Language) -> str:
    days = format_dates(dates, language)
    return text("night", "offline.theme_with_days", language, name=name, days=days)


def _strategy(moods: Counter[Mood], spoken: Sequence[str], language: Language) -> str:
    """A fixed sentence by the balance of moods, and one more where advice is asked for."""
    bright = sum(count for mood, count in moods.items() if mood.is_bright)
    heavy = sum(count for mood, count in moods.items() if not mood.is_bright)
    key = "heavy" if heavy and heavy >= bright else "bright" if bright else "even"
    chosen = [text("night", f"offline.{key}", language)]
    asking = word_list("words", "advice")
    if any(word in sentence.lower() for sentence in spoken for word in asking):
        chosen.append(text("night", "offline.advice", language))
    return text("night", "offline.between", language).join(chosen)

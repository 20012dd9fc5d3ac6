"""The writer that needs no model: it quotes, counts, and makes nothing up.

A day's summary is its most central sentences in the person's own words; a portrait is
what returns on several days, each with its days. The strategy is one of a few fixed
sentences, chosen by what was counted. All of it is marked as made offline and is written
anew by a model once there is one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from siliconfriend.extraction.extractor import Subject
from siliconfriend.language.content_words import ContentWord, worded_sentences
from siliconfriend.language.sentences import ends_as_question, split_sentences
from siliconfriend.language.word_lists import word_list
from siliconfriend.memory.input_hash import day_inputs
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.provenance import BY_PERSON, OFFLINE
from siliconfriend.memory.records import Day, Turn
from siliconfriend.moods import Mood, moods_of
from siliconfriend.night.formatting import format_date, format_dates, join_items
from siliconfriend.night.portrayed_days import PortrayedDays
from siliconfriend.night.salience import most_central, recurring_terms
from siliconfriend.night.writer import DayTexts, Portrayal
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.texts import Language, text

LEAST_QUOTES, MOST_QUOTES = 2, 5
"""Sentences of a day that its summary quotes: a third of the statements, between these."""
LONGEST_QUOTE = 240
"""Characters after which a quoted sentence is cut, with an ellipsis."""
HISTORY_SENTENCES = 12
DAY_TERMS, OVERALL_TERMS = 4, 6
DAY_MOODS = 3

Said = Mapping[str, Sequence[ContentWord]]
"""Sentences that say something, each once, with their content words."""


class OfflineWriter:
    """Writes from the person's own sentences.

    Args:
        embedder: says which sentences are central; without one, shared words do.
        keep: given an embedder, the same one that keeps its vectors for later nights; None
            where nothing can be kept.
    """

    made_by = OFFLINE

    def __init__(
        self,
        embedder: Embedder | None = None,
        keep: Callable[[Embedder], Embedder] | None = None,
    ) -> None:
        self._embedder = None if embedder is None else CachedEmbedder(embedder)
        self._kept: Embedder | None = self._embedder
        self._read: dict[str, tuple[Sequence[Turn], Said]] = {}
        if self._embedder is not None and keep is not None:
            self._kept = keep(self._embedder)

    def day(self, subject: Subject, day: Day) -> DayTexts:
        """Both texts of the day."""
        return DayTexts(self.day_summary(subject, day), self.day_personality(subject, day))

    def day_summary(self, subject: Subject, day: Day) -> str:
        """The most central sentences of the day, quoted, in their order."""
        language, person = subject.language, subject.person
        statements, questions = self._statements(day), self._questions(day)
        lines = []
        if statements:
            lines.append(self._quoting("said", statements, subject))
        if questions and len(statements) < LEAST_QUOTES:
            lines.append(self._quoting("asked_too" if statements else "asked", questions, subject))
        if lines:
            return _text("between", language).join(lines)
        anything = [
            sentence for turn in _own_turns(day) for sentence in split_sentences(turn.query)
        ]
        if anything:
            return self._quoting("said", anything, subject)
        return _text("looked_back" if day.turns else "nothing", language, person=person)

    def day_personality(self, subject: Subject, day: Day) -> Portrayal:
        """What was spoken of, the words of mood, and a strategy that suits them."""
        language = subject.language
        sentences = self._said(day)
        terms = [term.name for term in recurring_terms({day.date: sentences}, most=DAY_TERMS)]
        moods = moods_of(sentences)
        quoted_moods = [
            _mood_with_quote(mood, sentences, language)
            for mood, _count in moods.most_common(DAY_MOODS)
        ]
        return Portrayal(
            traits=_list_of("traits", "themes", terms, language, semicolon=False),
            mood=_list_of("mood", "moods", quoted_moods, language),
            strategy=_strategy(moods, sentences, language),
        )

    def overall_history(self, subject: Subject, life: PortrayedDays) -> str:
        """How long they have talked, and the most central sentences with their days.

        A day whose summary the person corrected is quoted from that summary.
        """
        language, portrayed = subject.language, life.days
        by_day = {
            day.date: split_sentences(corrected)
            for day in portrayed
            if (corrected := _corrected_summary(day))
        }
        dated = [
            (day.date, sentence)
            for day in portrayed
            if day.date not in by_day
            for sentence in self._central_of_day(day, language)
        ]
        sentences = [sentence for _date, sentence in dated]
        for position in most_central(sentences, HISTORY_SENTENCES, self._kept):
            date, sentence = dated[position]
            by_day.setdefault(date, []).append(sentence)
        first, last = (format_date(life.dates[at], language) for at in (0, -1))
        history = _text(
            "history" if len(life.dates) > 1 else "history_one",
            language,
            person=subject.person,
            count=len(life.dates),
            first=first,
            last=last,
        )
        lines = [_text("history_words", language, history=history) if by_day else history]
        for date, quoted in sorted(by_day.items()):
            written, quotes = format_date(date, language), _quotes(quoted, language)
            lines.append(_text("history_line", language, date=written, quotes=quotes))
        return "\n".join(lines)

    def overall_personality(
        self, subject: Subject, life: PortrayedDays, topics: Sequence[Topic] = ()
    ) -> str:
        """Terms and moods that return, each with its days, and a strategy that suits them.

        What returns is counted in the days themselves, so the topics add nothing here.
        """
        language = subject.language
        sentences = {day.date: self._said(day) for day in life.days}
        terms = [
            _with_days(term.name, term.days, language)
            for term in recurring_terms(sentences, most=OVERALL_TERMS, least_days=2)
        ]
        moods = _recurring_moods(sentences)
        dated_moods = [
            _with_days(mood.name(language), dates, language) for mood, dates in moods.items()
        ]
        counted = Counter({mood: len(dates) for mood, dates in moods.items()})
        everything = [sentence for spoken in sentences.values() for sentence in spoken]
        strategy = _strategy(counted, everything, language)
        return "\n".join(
            (
                _list_of("themes", "themes", terms, language),
                _list_of("moods", "moods", dated_moods, language),
                _text("strategy", language, strategy=strategy),
            )
        )

    def _central_of_day(self, day: Day, language: Language) -> list[str]:
        """The most central statements of a day: those its summary quotes, where it still holds."""
        statements, summary = self._statements(day), day.summary
        made = None if summary is None else summary.provenance
        if made is None or made.made_by != OFFLINE or made.inputs != day_inputs(day):
            return self._central(statements)
        return [it for it in statements if summary and _quotes([it], language) in summary.text]

    def _statements(self, day: Day) -> list[str]:
        return [sentence for sentence in self._said(day) if not ends_as_question(sentence)]

    def _questions(self, day: Day) -> list[str]:
        return [sentence for sentence in self._said(day) if ends_as_question(sentence)]

    def _said(self, day: Day) -> Said:
        """What was said on a day; read once, as long as it has the same turns."""
        turns, said = self._read.get(day.date, (None, {}))
        if turns is not day.turns:
            said = worded_sentences(turn.query for turn in _own_turns(day))
            self._read[day.date] = day.turns, said
        return said

    def _central(self, sentences: list[str]) -> list[str]:
        count = min(max(math.ceil(len(sentences) / 3), LEAST_QUOTES), MOST_QUOTES)
        return [sentences[at] for at in most_central(sentences, count, self._embedder)]

    def _quoting(self, key: str, sentences: list[str], subject: Subject) -> str:
        """A text that quotes the most central of the sentences."""
        central = self._central(sentences)
        if self._kept is not None:
            self._kept.passages(central)  # the texts about all days compare them again
        quotes = _quotes(central, subject.language)
        return _text(key, subject.language, person=subject.person, quotes=quotes)


def _text(key: str, language: Language, **values: object) -> str:
    return text("night", f"offline.{key}", language, **values)


def _list_of(
    key: str, variable: str, items: Sequence[str], language: Language, *, semicolon: bool = True
) -> str:
    """A text that lists the items, or the one that says there are none."""
    listed = join_items(items, language, semicolon=semicolon)
    return _text(key if items else f"{key}_none", language, **{variable: listed})


def _own_turns(day: Day) -> list[Turn]:
    """The turns but those that only ask about the past: quoted again, they would bury it."""
    return [turn for turn in day.turns if turn.index_text != ""]


def _corrected_summary(day: Day) -> str:
    """The day's summary if the person corrected it, else nothing."""
    summary = day.summary
    return summary.text if summary is not None and summary.provenance.made_by == BY_PERSON else ""


def _quotes(sentences: Iterable[str], language: Language) -> str:
    quoted = [_text("quote", language, words=_cut(sentence)) for sentence in sentences]
    return _text("between", language).join(quoted)


def _cut(sentence: str) -> str:
    if len(sentence) <= LONGEST_QUOTE:
        return sentence
    return sentence[:LONGEST_QUOTE].rsplit(" ", 1)[0].rstrip() + "…"


def _mood_with_quote(mood: Mood, sentences: Iterable[str], language: Language) -> str:
    """A mood with the first sentence that shows it."""
    words = next(sentence for sentence in sentences if mood in moods_of([sentence]))
    quote = _text("quote", language, words=_cut(words))
    return _text("mood_with_words", language, mood=mood.name(language), quote=quote)


def _recurring_moods(sentences: Mapping[str, Iterable[str]]) -> dict[Mood, list[str]]:
    """The moods of two days and more with their dates, those of most days first."""
    dates: dict[Mood, list[str]] = {}
    for date, spoken in sentences.items():
        for mood in moods_of(spoken):
            dates.setdefault(mood, []).append(date)
    recurring = [(mood, days) for mood, days in dates.items() if len(days) > 1]
    return dict(sorted(recurring, key=lambda entry: -len(entry[1])))


def _with_days(name: str, dates: Sequence[str], language: Language) -> str:
    return _text("theme_with_days", language, name=name, days=format_dates(dates, language))


def _strategy(moods: Counter[Mood], sentences: Iterable[str], language: Language) -> str:
    """A fixed sentence by the balance of moods, and one more where advice is asked for."""
    bright = sum(count for mood, count in moods.items() if mood.is_bright)
    heavy = sum(count for mood, count in moods.items() if not mood.is_bright)
    key = "heavy" if heavy and heavy >= bright else "bright" if bright else "even"
    parts = [_text(key, language)]
    asking = word_list("words", "advice")
    if any(word in sentence.lower() for sentence in sentences for word in asking):
        parts.append(_text("advice", language))
    return _text("between", language).join(parts)

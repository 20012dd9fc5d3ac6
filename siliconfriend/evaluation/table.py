"""Tabulate results: headings and rows of text, for a terminal and for a page alike.

Each share stands with its confidence interval: fifty-six questions cannot tell 0.97 from 0.99.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from siliconfriend.evaluation.answers import AnswersResult
from siliconfriend.evaluation.life import LifeResult
from siliconfriend.evaluation.likelihood import LikelihoodResult
from siliconfriend.evaluation.locomo import LocomoResult
from siliconfriend.evaluation.probing import ProbingResult
from siliconfriend.evaluation.talk import TalkResult
from siliconfriend.texts import Language, text

WIDE = 180
"""Columns of a table that goes into a file or a pipe."""

STANDARD_SCORE = 1.959963984540054
"""The standard score of the normal distribution for a 95% interval."""


@dataclass(frozen=True, slots=True)
class Table:
    """A title, headings, rows of the same length, and notes to stand below.

    The last column is how long each row took. It stands on a terminal and not on a page,
    which has to be the same whenever the same is measured.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def to_markdown(self) -> str:
        """The table in Markdown without its seconds, its notes as paragraphs below."""
        lines = [self.headings, ("---",) + ("---:",) * (len(self.headings) - 1), *self.rows]
        table = "\n".join("| " + " | ".join(cells[:-1]) + " |" for cells in lines)
        return "\n\n".join((f"**{self.title}**", table, *self.notes))

    def show(self) -> None:
        """Print it on standard output, as wide as the terminal allows."""
        from rich.console import Console
        from rich.table import Table as RichTable

        table = RichTable(title=self.title)
        for number, heading in enumerate(self.headings):
            table.add_column(heading, justify="right" if number else "left", no_wrap=not number)
        for row in self.rows:
            table.add_row(*row)
        console = Console(width=None if sys.stdout.isatty() else WIDE)
        console.print(table)
        for note in self.notes:
            console.print(note, highlight=False)


class _Words:
    """The words and numbers of a table in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def __call__(self, key: str, **values: object) -> str:
        return text("evaluation", f"table.{key}", self._language, **values)

    def each(self, *keys: str) -> list[str]:
        """Several of them."""
        return [self(key) for key in keys]

    def title(self, key: str, lang: Language, **values: object) -> str:
        """The title of a table over questions in a language."""
        asked_in = text("evaluation", f"languages.{lang}", self._language)
        return self(key, language=asked_in, **values)

    def share(self, part: int, whole: int) -> str:
        """A share with its confidence interval."""
        if not whole:
            return self("nothing")
        low, high = wilson_interval(part, whole)
        return self("share", share=part / whole, low=low, high=high)

    def number(self, value: float | None) -> str:
        """A number; None where there is none."""
        return self("nothing") if value is None else self("plain", value=value)


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f}"


def probing_table(results: Sequence[ProbingResult], language: Language) -> Table:
    """Tabulate probing: hits with their intervals, MRR, the trade-off of the threshold, time."""
    words, first = _Words(language), results[0]
    rows = [
        (
            it.recipe,
            *(words.share(hits, it.questions) for hits in it.hits.values()),
            words.number(it.mrr),
            words.share(it.refusal.kept, it.refusal.answerable),
            words.share(it.refusal.refused, it.refusal.foreign),
            _seconds(it.seconds),
        )
        for it in results
    ]
    notes = words.each("interval", "floor")
    if first.misses:
        named = ", ".join(f"{it.user} {it.number}" for it in first.misses)
        notes.append(f"{first.recipe}. " + words("missed", k=max(first.hits), questions=named))
    return Table(
        words.title("probing", first.lang, questions=first.questions, skipped=first.skipped),
        (
            words("recipe"),
            *(words("hit", k=k) for k in first.hits),
            *words.each("mrr", "kept", "refused_foreign", "seconds"),
        ),
        tuple(rows),
        tuple(notes),
    )


def locomo_table(results: Sequence[LocomoResult], language: Language) -> Table:
    """Tabulate LoCoMo: evidence recall overall and, at the middle depth, by category."""
    words, first = _Words(language), results[0]
    ks = list(first.recall)
    middle = ks[len(ks) // 2]
    rows = [
        (
            it.recipe,
            *map(words.number, it.recall.values()),
            *(words.number(values[middle]) for values in it.by_category.values()),
            _seconds(it.seconds),
        )
        for it in results
    ]
    return Table(
        words("locomo", questions=first.questions, skipped=first.skipped),
        (
            words("recipe"),
            *(words("recall", k=k) for k in ks),
            *(
                words("category", category=name, count=count, k=middle)
                for name, count in first.counts.items()
            ),
            words("seconds"),
        ),
        tuple(rows),
    )


def answers_table(results: Sequence[AnswersResult], language: Language) -> Table:
    """Tabulate answers: how often right, refused, invented, and of other people's questions."""
    words, first = _Words(language), results[0]
    rows = [
        (
            it.recipe,
            *(words.share(count, len(it.answers)) for count in it.counts().values()),
            words.share(sum(answer.grade.invented for answer in it.foreign), len(it.foreign)),
            _seconds(it.seconds),
        )
        for it in results
    ]
    return Table(
        words.title(
            "answers",
            first.lang,
            asked=len(first.answers),
            foreign=len(first.foreign),
            graded_by=first.graded_by,
        ),
        tuple(words.each("recipe", "right", "refused", "invented", "foreign_invented", "seconds")),
        tuple(rows),
        (words("interval"),),
    )


def talk_table(results: Sequence[TalkResult], language: Language) -> Table:
    """Tabulate talks: recall and hits by depth, and the recall without the threshold."""
    words, first = _Words(language), results[0]
    rows = [
        (
            it.recipe,
            *map(words.number, it.recall.values()),
            *(words.number(hits / it.talks) for hits in it.hits.values()),
            *map(words.number, it.without_floor.values()),
            _seconds(it.seconds),
        )
        for it in results
    ]
    return Table(
        words.title("talk", first.lang, talks=first.talks, skipped=first.skipped),
        (
            words("recipe"),
            *(words(key, k=k) for key in ("recall", "hit", "without_floor") for k in first.recall),
            words("seconds"),
        ),
        tuple(rows),
        (words("about_talk"),),
    )


def likelihood_table(results: Sequence[LikelihoodResult], language: Language) -> Table:
    """Tabulate the judge: what is found by it, and without each of its features."""
    words = _Words(language)
    rows = [
        (
            words(it.kind),
            words.share(it.first, it.asked),
            words.share(it.found, it.asked),
            words.share(it.some, it.nothing),
            words.share(it.sure, it.nothing),
            ", ".join(f"{name} {share:.3f}" for name, share in it.ablation.items()),
            "",
        )
        for it in results
    ]
    return Table(
        words("likelihood"),
        (*words.each("message", "likeliest", "in_ten", "likely", "as_sure", "without"), ""),
        tuple(rows),
        (words("about_likelihood"),),
    )


def life_table(results: Sequence[LifeResult], language: Language) -> Table:
    """Tabulate a life: what reached the prompt and the reply, in all and by kind of question."""
    words, first = _Words(language), results[0]
    asked = len(first.outcomes)
    rows = [
        (
            f"{it.recipe}, {words(it.phase)}",
            *(words.share(count, asked) for count in it.counts().values()),
            f"{it.claimed}/{len(it.nothing)}",
            *((f"{it.reminded}/{len(it.small)}",) if first.small else ()),
            *(f"{counts['prompt']} · {counts['said']}" for counts in it.by_kind().values()),
            _seconds(it.seconds),
        )
        for it in results
    ]
    errors = dict.fromkeys(error for it in results for error in it.night_errors)
    return Table(
        words.title("life", first.lang, asked=asked, nothing=len(first.nothing)),
        (
            *words.each("recipe", "prompt", "said", "claimed"),
            *(words.each("reminded") if first.small else ()),
            *(f"{kind} ({counts['asked']})" for kind, counts in first.by_kind().items()),
            words("seconds"),
        ),
        tuple(rows),
        (
            *words.each("interval", "about_life"),
            *(words("night_failed", error=error) for error in errors),
        ),
    )


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The 95% confidence interval of a share (E. B. Wilson, 1927); (0, 1) without trials.

    Unlike the usual plus-or-minus it stays within 0 and 1 and has a width where all or none
    succeeded.
    """
    if trials == 0:
        return 0.0, 1.0
    share, square = successes / trials, STANDARD_SCORE**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = math.sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)

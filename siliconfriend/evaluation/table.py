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
from siliconfriend.evaluation.thresholds import ThresholdResult
from siliconfriend.texts import Language, text

WIDE = 180
"""Columns of a table that goes into a file or a pipe."""

STANDARD_SCORE = 1.959963984540054
"""Of the normal distribution, for an interval that holds the true share 95 times in 100."""


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


def probing_table(results: Sequence[ProbingResult], language: Language) -> Table:
    """Tabulate probing: hits with their intervals, MRR, the trade-off of the threshold, time."""
    ks = list(results[0].hits)
    rows = [
        (
            it.recipe,
            *(_share(it.hits[k], it.questions, language) for k in ks),
            _number(it.mrr, language),
            _share(it.refusal.kept, it.refusal.answerable, language),
            _share(it.refusal.refused, it.refusal.foreign, language),
            _seconds(it.seconds),
        )
        for it in results
    ]
    notes = [_text("interval", language), _text("floor", language)]
    missed = _missed(results[0], language)
    return Table(
        _text(
            "probing",
            language,
            language=text("evaluation", f"languages.{results[0].lang}", language),
            questions=results[0].questions,
            skipped=results[0].skipped,
        ),
        (
            _text("recipe", language),
            *(_text("hit", language, k=k) for k in ks),
            *(_text(it, language) for it in ("mrr", "kept", "refused_foreign", "seconds")),
        ),
        tuple(rows),
        (*notes, missed) if missed else tuple(notes),
    )


def locomo_table(results: Sequence[LocomoResult], language: Language) -> Table:
    """Tabulate LoCoMo: evidence recall overall and, at the middle depth, by category."""
    first = results[0]
    ks = list(first.recall)
    middle = ks[len(ks) // 2]
    rows = [
        (
            it.recipe,
            *(_number(it.recall[k], language) for k in ks),
            *(_number(values[middle], language) for values in it.by_category.values()),
            _seconds(it.seconds),
        )
        for it in results
    ]
    return Table(
        _text("locomo", language, questions=first.questions, skipped=first.skipped),
        (
            _text("recipe", language),
            *(_text("recall", language, k=k) for k in ks),
            *(
                _text("category", language, category=name, count=count, k=middle)
                for name, count in first.counts.items()
            ),
            _text("seconds", language),
        ),
        tuple(rows),
    )


def answers_table(results: Sequence[AnswersResult], language: Language) -> Table:
    """Tabulate answers: how often right, refused, invented, and of other people's questions."""
    first = results[0]
    rows = []
    for it in results:
        asked, foreign = len(it.answers), len(it.foreign)
        invented = sum(answer.grade.invented for answer in it.foreign)
        rows.append(
            (
                it.recipe,
                *(_share(count, asked, language) for count in it.counts().values()),
                _share(invented, foreign, language),
                _seconds(it.seconds),
            )
        )
    names = ("recipe", "right", "refused", "invented", "foreign_invented", "seconds")
    return Table(
        _text(
            "answers",
            language,
            language=text("evaluation", f"languages.{first.lang}", language),
            asked=len(first.answers),
            foreign=len(first.foreign),
            graded_by=first.graded_by,
        ),
        tuple(_text(name, language) for name in names),
        tuple(rows),
        (_text("interval", language),),
    )


def talk_table(results: Sequence[TalkResult], language: Language) -> Table:
    """Tabulate talks: recall and hits by depth, and the recall without the threshold."""
    first = results[0]
    ks = list(first.recall)
    rows = [
        (
            it.recipe,
            *(_number(it.recall[k], language) for k in ks),
            *(_number(it.hits[k] / it.talks, language) for k in ks),
            *(_number(it.without_floor[k], language) for k in ks),
            _seconds(it.seconds),
        )
        for it in results
    ]
    return Table(
        _text(
            "talk",
            language,
            language=text("evaluation", f"languages.{first.lang}", language),
            talks=first.talks,
            skipped=first.skipped,
        ),
        (
            _text("recipe", language),
            *(_text("recall", language, k=k) for k in ks),
            *(_text("hit", language, k=k) for k in ks),
            *(_text("without_floor", language, k=k) for k in ks),
            _text("seconds", language),
        ),
        tuple(rows),
        (_text("about_talk", language),),
    )


def thresholds_table(results: Sequence[ThresholdResult], language: Language) -> Table:
    """Tabulate thresholds: what each cut keeps and refuses on its own half and on the other."""
    rows = [
        (
            _text(it.kind, language),
            _text(it.pair, language),
            f"{it.cut:.4g}",
            *(
                _number(share, language)
                for half in (it.learned, it.measured)
                for share in (it.kept(half), it.refused(half))
            ),
            "",
        )
        for it in results
    ]
    names = (
        "message",
        "languages",
        "cut",
        "learned_kept",
        "learned_refused",
        "kept",
        "refused_foreign",
    )
    return Table(
        _text("thresholds", language),
        (*(_text(name, language) for name in names), ""),
        tuple(rows),
        (_text("about_thresholds", language),),
    )


def likelihood_table(results: Sequence[LikelihoodResult], language: Language) -> Table:
    """Tabulate the weights of the signs: what is found and said by them, measured crosswise."""
    rows = [
        (
            _text(it.kind, language),
            _share(it.first, it.asked, language),
            _share(it.said, it.asked, language),
            _share(it.some, it.nothing, language),
            _share(it.sure, it.nothing, language) if it.kind == "question" else "",
            "",
        )
        for it in results
    ]
    names = ("message", "likeliest", "and_said", "quoted", "as_sure")
    return Table(
        _text("likelihood", language),
        (*(_text(name, language) for name in names), ""),
        tuple(rows),
        (_text("about_likelihood", language),),
    )


def life_table(results: Sequence[LifeResult], language: Language) -> Table:
    """Tabulate a life: what reached the prompt and the reply, in all and by kind of question."""
    first = results[0]
    asked = len(first.outcomes)
    rows = []
    for it in results:
        kinds = it.by_kind().values()
        rows.append(
            (
                f"{it.recipe}, {_text(it.phase, language)}",
                *(_share(count, asked, language) for count in it.counts().values()),
                f"{it.claimed}/{len(it.nothing)}",
                *((f"{it.reminded}/{len(it.small)}",) if first.small else ()),
                *(f"{counts['prompt']} · {counts['said']}" for counts in kinds),
                _seconds(it.seconds),
            )
        )
    errors = dict.fromkeys(error for it in results for error in it.night_errors)
    return Table(
        _text(
            "life",
            language,
            language=text("evaluation", f"languages.{first.lang}", language),
            asked=asked,
            nothing=len(first.nothing),
        ),
        (
            *(_text(name, language) for name in ("recipe", "prompt", "said", "claimed")),
            *((_text("reminded", language),) if first.small else ()),
            *(f"{kind} ({counts['asked']})" for kind, counts in first.by_kind().items()),
            _text("seconds", language),
        ),
        tuple(rows),
        (
            _text("interval", language),
            _text("about_life", language),
            *(_text("night_failed", language, error=error) for error in errors),
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


def _missed(result: ProbingResult, language: Language) -> str:
    if not result.misses:
        return ""
    named = ", ".join(f"{it.user} {it.number}" for it in result.misses)
    return f"{result.recipe}. " + _text("missed", language, k=max(result.hits), questions=named)


def _text(key: str, language: Language, /, **values: object) -> str:
    return text("evaluation", f"table.{key}", language, **values)


def _share(part: int, whole: int, language: Language) -> str:
    if not whole:
        return _text("nothing", language)
    low, high = wilson_interval(part, whole)
    return _text("share", language, share=part / whole, low=low, high=high)


def _number(value: float | None, language: Language) -> str:
    return _text("nothing", language) if value is None else _text("plain", language, value=value)


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f}"

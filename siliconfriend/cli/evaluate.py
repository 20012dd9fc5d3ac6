"""``evaluate``: what is recalled and what is answered, each recipe a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from siliconfriend.clock import FixedClock
from siliconfriend.config import Settings
from siliconfriend.texts import Language, text

from .app import App, pass_app
from .evaluate_report import Measurement, Outputs, RecipeRow, report
from .localized_click import LANGUAGE, Command, Group, usage_text
from .param_types import FilePath, WholeNumber
from .progress import progress_bar

if TYPE_CHECKING:
    from siliconfriend.evaluation.bench import Bench
    from siliconfriend.evaluation.table import Table

_Row = TypeVar("_Row", bound=RecipeRow)
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def evaluation_help(key: str, **values: object) -> str:
    """Return a text for the ``--help`` of these commands."""
    return text("evaluation", f"help.{key}", LANGUAGE, **values)


def file_option(name: str, key: str = "", *, multiple: bool = False) -> Decorator:
    """A required option that takes a file, or several."""
    kind, words = FilePath(), evaluation_help(key or name)
    return click.option(
        f"--{name}", metavar="FILE", type=kind, required=True, multiple=multiple, help=words
    )


def output_options(out_help: str = "") -> Decorator:
    """Options for the results, passed to the command as one ``outputs``.

    Args:
        out_help: key of the help of ``--out``, of a command that learns; without it the command
            measures recipes and can draw them.
    """

    def option(name: str, key: str = "") -> Decorator:
        words = evaluation_help(key or name)
        return click.option(f"--{name}", metavar="FILE", type=FilePath(), help=words)

    recipe = click.option(
        "--recipe", "recipes", metavar="R", multiple=True, help=evaluation_help("recipe")
    )
    as_json = click.option("--json", "as_json", is_flag=True, help=evaluation_help("json"))
    own = [option("out", out_help)] if out_help else [recipe, option("plot")]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def gather(*args: Any, **given: Any) -> Any:
            names = [it.name for it in fields(Outputs) if it.name in given]
            outputs = Outputs(**{name: given.pop(name) for name in names})
            return command(*args, outputs=outputs, **given)

        wrapped: Callable[..., Any] = gather
        for it in reversed((*own, option("write"), option("vectors"), as_json)):
            wrapped = it(wrapped)
        return wrapped

    return decorate


def _parse_depths(context: click.Context, option: click.Parameter, written: str) -> tuple[int, ...]:
    """Parse numbers separated by commas, each 1 or more; sorted, each once."""
    parts = [part.strip() for part in written.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise click.BadParameter(usage_text("depths", value=written), context, option)
    return tuple(sorted({int(part) for part in parts}))


def _depths(default: str) -> Decorator:
    words = evaluation_help("depths", default=default)
    return click.option(
        "--k", "depths", metavar="K,…", default=default, callback=_parse_depths, help=words
    )


@click.group("evaluate", cls=Group, help=evaluation_help("evaluate"))
def evaluate() -> None:
    """Group of the measurements."""


def measurement_command(name: str) -> Callable[[Callable[..., Any]], Command]:
    """Make a function the command of this name."""
    words = evaluation_help(name)
    return click.command(name, cls=Command, help=words)


@measurement_command("probing")
@file_option("bank")
@file_option("questions")
@_depths("1,3,6")
@output_options()
@pass_app
def probing(
    app: App, bank: Path, questions: Path, depths: tuple[int, ...], outputs: Outputs
) -> None:
    """Measure hits, mean reciprocal rank and the trade-off of the threshold."""
    from siliconfriend.evaluation.datasets import read_json, read_questions
    from siliconfriend.evaluation.probing import ProbingResult, evaluate_probing
    from siliconfriend.evaluation.table import probing_table

    settings, names = app.settings(), outputs.recipe_names()
    asked, people = read_questions(questions), read_json(bank)

    def run(bench: Bench) -> list[ProbingResult]:
        return evaluate_probing(bench, bench.import_bank(people), asked, names, ks=depths)

    files = {"bank": [bank], "questions": [questions]}
    _measure(app, settings, outputs, "probing", files, run, probing_table)


@measurement_command("locomo")
@file_option("data")
@_depths("5,10,20")
@output_options()
@pass_app
def locomo(app: App, data: Path, depths: tuple[int, ...], outputs: Outputs) -> None:
    """Measure evidence recall, overall and by category number."""
    from siliconfriend.evaluation.datasets import read_json
    from siliconfriend.evaluation.locomo import evaluate_locomo, read_conversations
    from siliconfriend.evaluation.table import locomo_table

    settings, names = app.settings(), outputs.recipe_names()
    talks = read_conversations(read_json(data))
    run = partial(evaluate_locomo, conversations=talks, recipes=names, ks=depths)
    _measure(app, settings, outputs, "locomo", {"data": [data]}, run, locomo_table)


@measurement_command("answers")
@file_option("bank")
@file_option("questions")
@click.option("--limit", metavar="N", type=WholeNumber(1), help=evaluation_help("limit"))
@click.option("--judge", "judge_name", metavar="MODEL", help=evaluation_help("judge"))
@click.option("--no-foreign", is_flag=True, help=evaluation_help("no_foreign"))
@output_options()
@pass_app
def answers(
    app: App,
    bank: Path,
    questions: Path,
    limit: int | None,
    judge_name: str | None,
    no_foreign: bool,
    outputs: Outputs,
) -> None:
    """Measure how often replies are right, refused or invented."""
    from siliconfriend.evaluation.answers import evaluate_answers
    from siliconfriend.evaluation.datasets import read_json, read_questions
    from siliconfriend.evaluation.judge import open_judge
    from siliconfriend.evaluation.table import answers_table

    settings, names = app.settings(), outputs.recipe_names()
    asked, people = read_questions(questions), read_json(bank)
    judge = open_judge(settings, judge_name) if judge_name else None
    chat = app.runtime(settings).chat
    with measuring_bench(app, settings, outputs) as bench:
        rows = evaluate_answers(
            bench,
            bench.import_bank(people),
            asked,
            names,
            chat=chat,
            judge=judge,
            limit=limit,
            foreign=not no_foreign,
        )
    measurement = Measurement(
        "answers",
        {"bank": [bank], "questions": [questions]},
        rows,
        answers_table(rows, app.language),
        flags=(f" --limit {limit}" if limit else "") + (" --no-foreign" if no_foreign else ""),
        answered_by=settings.llm.partition(":")[0],
    )
    report(app, settings, measurement, outputs, {it.recipe: it.shares() for it in rows})


@measurement_command("talk")
@file_option("talks")
@_depths("1,3,5,10")
@output_options()
@pass_app
def talk(app: App, talks: Path, depths: tuple[int, ...], outputs: Outputs) -> None:
    """Measure which old memories come to mind in a talk, with and without the threshold."""
    from siliconfriend.evaluation.datasets import read_json
    from siliconfriend.evaluation.table import talk_table
    from siliconfriend.evaluation.talk import evaluate_talks, read_talks

    settings, names = app.settings(), outputs.recipe_names()
    file = read_talks(read_json(talks))
    run = partial(evaluate_talks, file=file, recipes=names, ks=depths)
    _measure(app, settings, outputs, "talk", {"talks": [talks]}, run, talk_table)


@measurement_command("life")
@file_option("life", "told")
@click.option("--filler", metavar="BANK", type=FilePath(), help=evaluation_help("filler"))
@click.option("--no-night", is_flag=True, help=evaluation_help("no_night"))
@output_options()
@pass_app
def life(app: App, life: Path, filler: Path | None, no_night: bool, outputs: Outputs) -> None:
    """Measure whether what was told reaches the prompt and the offline reply."""
    from siliconfriend.evaluation.datasets import read_json
    from siliconfriend.evaluation.life import evaluate_life, read_filler, read_life
    from siliconfriend.evaluation.table import life_table

    # What is measured is what the companion can do without a model.
    settings, names = replace(app.settings(), llm="offline"), outputs.recipe_names()
    lived = read_life(read_json(life))
    everyday = read_filler(read_json(filler)) if filler else ()
    with measuring_bench(app, settings, outputs) as bench:
        rows = evaluate_life(bench, lived, names, filler=everyday, night=not no_night)
    measurement = Measurement(
        "life",
        {"life": [life], "filler": [filler] if filler else []},
        rows,
        life_table(rows, app.language),
        flags=" --no-night" if no_night else "",
    )
    report(
        app,
        settings,
        measurement,
        outputs,
        {f"{it.recipe}, {it.phase}": it.shares() for it in rows},
    )


def _measure(
    app: App,
    settings: Settings,
    outputs: Outputs,
    kind: str,
    files: Mapping[str, Sequence[Path]],
    run: Callable[[Bench], Sequence[_Row]],
    table: Callable[[Sequence[_Row], Language], Table],
) -> None:
    """Run a measurement whose rows are one a recipe, and report it."""
    with measuring_bench(app, settings, outputs) as bench:
        rows = run(bench)
    measurement = Measurement(kind, files, rows, table(rows, app.language))
    report(app, settings, measurement, outputs, {it.recipe: it.shares() for it in rows})


@contextmanager
def measuring_bench(app: App, settings: Settings, outputs: Outputs) -> Iterator[Bench]:
    """Open the bench of a measurement, at the moment that ``--now`` names, with its progress shown."""
    from siliconfriend.evaluation.bench import open_bench

    now = app.clock.now(settings.zone) if isinstance(app.clock, FixedClock) else None
    with (
        progress_bar() as advance,
        open_bench(settings, vectors=outputs.vectors, now=now, advance=advance) as bench,
    ):
        yield bench

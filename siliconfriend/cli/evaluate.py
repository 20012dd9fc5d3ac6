"""``evaluate``: what is recalled and what is answered, each recipe a row."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.clock import FixedClock
from siliconfriend.config import Settings
from siliconfriend.texts import text

from .app import App, pass_app
from .evaluate_report import Measurement, Outputs, report
from .localized_click import LANGUAGE, Command, Group, usage_text
from .param_types import FilePath, WholeNumber
from .progress import progress_bar

if TYPE_CHECKING:
    from siliconfriend.evaluation.bench import Advance, Bench

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def evaluation_help(key: str, **values: object) -> str:
    """Return a text for the ``--help`` of these commands."""
    return text("evaluation", f"help.{key}", LANGUAGE, **values)


def _parse_depths(context: click.Context, option: click.Parameter, written: str) -> tuple[int, ...]:
    """Parse numbers separated by commas, each 1 or more; sorted, each once."""
    parts = [part.strip() for part in written.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise click.BadParameter(usage_text("depths", value=written), context, option)
    return tuple(sorted({int(part) for part in parts}))


def _file(name: str, key: str = "") -> Decorator:
    kind, words = FilePath(), evaluation_help(key or name)
    return click.option(f"--{name}", metavar="FILE", type=kind, required=True, help=words)


def _depths(default: str) -> Decorator:
    words = evaluation_help("depths", default=default)
    return click.option(
        "--k", "depths", metavar="K,…", default=default, callback=_parse_depths, help=words
    )


def _output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options all measurements share, and pass them as one ``outputs``."""

    @functools.wraps(command)
    def gather(
        *args: Any,
        recipes: tuple[str, ...],
        plot: Path | None,
        write: Path | None,
        vectors: Path | None,
        as_json: bool,
        **rest: Any,
    ) -> Any:
        return command(*args, outputs=Outputs(recipes, plot, write, vectors, as_json), **rest)

    path = FilePath()
    wrapped: Callable[..., Any] = gather
    for option in (
        click.option("--json", "as_json", is_flag=True, help=evaluation_help("json")),
        click.option("--vectors", metavar="FILE", type=path, help=evaluation_help("vectors")),
        click.option("--write", metavar="FILE", type=path, help=evaluation_help("write")),
        click.option("--plot", metavar="FILE", type=path, help=evaluation_help("plot")),
        click.option(
            "--recipe", "recipes", metavar="R", multiple=True, help=evaluation_help("recipe")
        ),
    ):
        wrapped = option(wrapped)
    return wrapped


@click.group(
    "evaluate", cls=Group, help=evaluation_help("evaluate"), short_help=evaluation_help("evaluate")
)
def evaluate() -> None:
    """Group of the measurements."""


@evaluate.command(
    "probing", cls=Command, help=evaluation_help("probing"), short_help=evaluation_help("probing")
)
@_file("bank")
@_file("questions")
@_depths("1,3,6")
@_output_options
@pass_app
def probing(
    app: App, bank: Path, questions: Path, depths: tuple[int, ...], outputs: Outputs
) -> None:
    """Measure hits, mean reciprocal rank and the trade-off of the threshold."""
    from siliconfriend.evaluation.datasets import read_json, read_questions
    from siliconfriend.evaluation.probing import evaluate_probing
    from siliconfriend.evaluation.table import probing_table

    settings, names = app.settings(), outputs.recipe_names()
    asked, people = read_questions(questions), read_json(bank)
    with measuring_bench(app, settings, outputs) as (bench, advance):
        scopes, now = bench.import_bank(people), _now(app, settings)
        results = evaluate_probing(bench, scopes, asked, names, ks=depths, now=now, advance=advance)
    measurement = Measurement(
        kind="probing",
        files=(bank, questions),
        command=f"evaluate probing --bank {bank.name} --questions {questions.name}",
        documents=[it.to_json() for it in results],
        table=probing_table(results, app.language),
        shares={it.recipe: it.shares() for it in results},
    )
    report(app, settings, measurement, outputs)


@evaluate.command(
    "locomo", cls=Command, help=evaluation_help("locomo"), short_help=evaluation_help("locomo")
)
@_file("data")
@_depths("5,10,20")
@_output_options
@pass_app
def locomo(app: App, data: Path, depths: tuple[int, ...], outputs: Outputs) -> None:
    """Measure evidence recall, overall and by category number."""
    from siliconfriend.evaluation.datasets import read_json
    from siliconfriend.evaluation.locomo import evaluate_locomo, read_conversations
    from siliconfriend.evaluation.table import locomo_table

    settings, names = app.settings(), outputs.recipe_names()
    talks = read_conversations(read_json(data))
    with measuring_bench(app, settings, outputs) as (bench, advance):
        now = _now(app, settings)
        results = evaluate_locomo(bench, talks, names, ks=depths, now=now, advance=advance)
    measurement = Measurement(
        kind="locomo",
        files=(data,),
        command=f"evaluate locomo --data {data.name}",
        documents=[it.to_json() for it in results],
        table=locomo_table(results, app.language),
        shares={it.recipe: {str(k): v for k, v in it.recall.items()} for it in results},
    )
    report(app, settings, measurement, outputs)


@evaluate.command(
    "answers", cls=Command, help=evaluation_help("answers"), short_help=evaluation_help("answers")
)
@_file("bank")
@_file("questions")
@click.option("--limit", metavar="N", type=WholeNumber(1), help=evaluation_help("limit"))
@click.option("--judge", "judge_name", metavar="MODEL", help=evaluation_help("judge"))
@click.option("--no-foreign", is_flag=True, help=evaluation_help("no_foreign"))
@_output_options
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
    with measuring_bench(app, settings, outputs) as (bench, advance):
        results = evaluate_answers(
            bench,
            bench.import_bank(people),
            asked,
            names,
            chat=chat,
            judge=judge,
            limit=limit,
            foreign=not no_foreign,
            now=_now(app, settings),
            advance=advance,
        )
    chosen = (f" --limit {limit}" if limit else "") + (" --no-foreign" if no_foreign else "")
    measurement = Measurement(
        kind="answers",
        files=(bank, questions),
        command=f"evaluate answers --bank {bank.name} --questions {questions.name}{chosen}",
        documents=[it.to_json() for it in results],
        table=answers_table(results, app.language),
        shares={it.recipe: it.shares() for it in results},
        answered_by=settings.llm.partition(":")[0],
    )
    report(app, settings, measurement, outputs)


@evaluate.command(
    "talk", cls=Command, help=evaluation_help("talk"), short_help=evaluation_help("talk")
)
@_file("talks")
@_depths("1,3,5,10")
@_output_options
@pass_app
def talk(app: App, talks: Path, depths: tuple[int, ...], outputs: Outputs) -> None:
    """Measure which old memories come to mind in a talk, with and without the threshold."""
    from siliconfriend.evaluation.datasets import read_json
    from siliconfriend.evaluation.table import talk_table
    from siliconfriend.evaluation.talk import evaluate_talks, read_talks

    settings, names = app.settings(), outputs.recipe_names()
    file = read_talks(read_json(talks))
    with measuring_bench(app, settings, outputs) as (bench, advance):
        now = _now(app, settings)
        results = evaluate_talks(bench, file, names, ks=depths, now=now, advance=advance)
    measurement = Measurement(
        kind="talk",
        files=(talks,),
        command=f"evaluate talk --talks {talks.name}",
        documents=[it.to_json() for it in results],
        table=talk_table(results, app.language),
        shares={it.recipe: {str(k): v for k, v in it.recall.items()} for it in results},
    )
    report(app, settings, measurement, outputs)


@evaluate.command(
    "life", cls=Command, help=evaluation_help("life"), short_help=evaluation_help("life")
)
@_file("life", "told")
@click.option("--filler", metavar="BANK", type=FilePath(), help=evaluation_help("filler"))
@click.option("--no-night", is_flag=True, help=evaluation_help("no_night"))
@_output_options
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
    with measuring_bench(app, settings, outputs) as (bench, advance):
        results = evaluate_life(
            bench,
            lived,
            names,
            filler=everyday,
            night=not no_night,
            now=_now(app, settings),
            advance=advance,
        )
    with_filler = f" --filler {filler.name}" if filler else ""
    measurement = Measurement(
        kind="life",
        files=(life, filler) if filler else (life,),
        command=f"evaluate life --life {life.name}{with_filler}{' --no-night' * no_night}",
        documents=[it.to_json() for it in results],
        table=life_table(results, app.language),
        shares={f"{it.recipe}, {it.phase}": it.shares() for it in results},
    )
    report(app, settings, measurement, outputs)


def _now(app: App, settings: Settings) -> datetime | None:
    """The moment ``--now`` names; None leaves it to each person's last day."""
    return app.clock.now(settings.zone) if isinstance(app.clock, FixedClock) else None


@contextmanager
def measuring_bench(
    app: App, settings: Settings, outputs: Outputs
) -> Iterator[tuple[Bench, Advance]]:
    """Open the bench of a measurement, with progress shown while texts are embedded."""
    from siliconfriend.evaluation.bench import open_bench

    with progress_bar() as advance:
        total = 0

        def embedded(number: int) -> None:
            nonlocal total
            total += number
            advance(text("evaluation", "progress.embedding", app.language), total, total)

        with open_bench(settings, vectors=outputs.vectors, embedded=embedded) as bench:
            yield bench, advance

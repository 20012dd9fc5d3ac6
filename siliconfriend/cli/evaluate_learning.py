"""``evaluate thresholds`` and ``evaluate likelihood``: what is learned from data, and how well it holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from siliconfriend.errors import UsageError

from .app import App, pass_app
from .evaluate import Decorator, evaluate, evaluation_help, measuring_bench
from .evaluate_report import Measurement, Outputs, report
from .localized_click import Command
from .param_types import FilePath

__all__ = ["evaluate", "likelihood", "thresholds"]


def _files(name: str, key: str = "") -> Decorator:
    kind, words = FilePath(), evaluation_help(key or name)
    return click.option(
        f"--{name}", metavar="FILE", type=kind, required=True, multiple=True, help=words
    )


def _learning_options(out_help: str) -> Decorator:
    """The options of the commands that learn: where to, the page, the vectors, ``--json``."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        path = FilePath()
        for option in (
            click.option("--json", "as_json", is_flag=True, help=evaluation_help("json")),
            click.option("--vectors", metavar="FILE", type=path, help=evaluation_help("vectors")),
            click.option("--write", metavar="FILE", type=path, help=evaluation_help("write")),
            click.option("--out", metavar="FILE", type=path, help=evaluation_help(out_help)),
        ):
            command = option(command)
        return command

    return decorate


@evaluate.command(
    "thresholds",
    cls=Command,
    help=evaluation_help("thresholds"),
    short_help=evaluation_help("thresholds"),
)
@_files("bank")
@_files("questions")
@_files("talks")
@_learning_options("out")
@pass_app
def thresholds(
    app: App,
    bank: tuple[Path, ...],
    questions: tuple[Path, ...],
    talks: tuple[Path, ...],
    out: Path | None,
    write: Path | None,
    vectors: Path | None,
    as_json: bool,
) -> None:
    """Learn the embedder's thresholds on one half of the data and measure them on the other."""
    from siliconfriend.evaluation.datasets import read_json, read_questions
    from siliconfriend.evaluation.table import thresholds_table
    from siliconfriend.evaluation.talk import read_talks
    from siliconfriend.evaluation.thresholds import learn_thresholds
    from siliconfriend.recall.thresholds import add_thresholds

    settings, outputs = app.settings(), Outputs((), None, write, vectors, as_json)
    if app.runtime(settings).embedder is None:
        raise UsageError("thresholds_words_only")
    asked = [read_questions(file) for file in questions]
    banks = [read_json(file) for file in bank]
    files = [read_talks(read_json(file)) for file in talks]
    with measuring_bench(app, settings, outputs) as (bench, _):
        people = [bench.import_bank(it) for it in banks]
        learned, results = learn_thresholds(bench, people, asked, files)
        name = bench.runtime.embedder.name if bench.runtime.embedder else ""
    if out is not None:
        add_thresholds(out, name, learned)
    given = {"bank": bank, "questions": questions, "talks": talks}
    options = "".join(f" --{name} {it.name}" for name, files in given.items() for it in files)
    measurement = Measurement(
        kind="thresholds",
        files=(*bank, *questions, *talks),
        command=f"evaluate thresholds{options}",
        documents=[it.to_json() for it in results],
        table=thresholds_table(results, app.language),
        shares={},
    )
    report(app, settings, measurement, outputs)


@evaluate.command(
    "likelihood",
    cls=Command,
    help=evaluation_help("likelihood"),
    short_help=evaluation_help("likelihood"),
)
@_files("life", "lives")
@click.option(
    "--filler",
    "fillers",
    metavar="BANK",
    type=FilePath(),
    multiple=True,
    help=evaluation_help("fillers"),
)
@_learning_options("likelihood_out")
@pass_app
def likelihood(
    app: App,
    life: tuple[Path, ...],
    fillers: tuple[Path, ...],
    out: Path | None,
    write: Path | None,
    vectors: Path | None,
    as_json: bool,
) -> None:
    """Learn what each sign counts that a memory is meant, and measure it crosswise."""
    from siliconfriend.dialogue.likelihood import write_weights
    from siliconfriend.evaluation.datasets import read_json
    from siliconfriend.evaluation.life import language_of_filler, read_filler, read_life
    from siliconfriend.evaluation.likelihood import learn_likelihood
    from siliconfriend.evaluation.table import likelihood_table

    settings, outputs = app.settings(), Outputs((), None, write, vectors, as_json)
    lives = [read_life(read_json(file)) for file in life]
    everyday = {language_of_filler(it): it for it in map(read_filler, map(read_json, fillers))}
    with measuring_bench(app, settings, outputs) as (bench, _):
        learned, results = learn_likelihood(
            bench, [(it, everyday.get(it.language, ())) for it in lives]
        )
        embedder = bench.runtime.embedder
    if out is not None:
        write_weights(out, embedder.name if embedder else None, learned)
    given = {"life": life, "filler": fillers}
    options = "".join(f" --{name} {it.name}" for name, files in given.items() for it in files)
    measurement = Measurement(
        kind="likelihood",
        files=(*life, *fillers),
        command=f"evaluate likelihood{options}",
        documents=[it.to_json() for it in results],
        table=likelihood_table(results, app.language),
        shares={},
    )
    report(app, settings, measurement, outputs)

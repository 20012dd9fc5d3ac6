"""``evaluate thresholds`` and ``evaluate likelihood``: what is learned from data, and how well it holds."""

from __future__ import annotations

from pathlib import Path

import click

from siliconfriend.errors import UsageError

from .app import App, pass_app
from .evaluate import (
    evaluation_help,
    file_option,
    measurement_command,
    measuring_bench,
    output_options,
)
from .evaluate_report import Measurement, Outputs, report
from .param_types import FilePath


@measurement_command("thresholds")
@file_option("bank", multiple=True)
@file_option("questions", multiple=True)
@file_option("talks", multiple=True)
@output_options("out")
@pass_app
def thresholds(
    app: App,
    bank: tuple[Path, ...],
    questions: tuple[Path, ...],
    talks: tuple[Path, ...],
    outputs: Outputs,
) -> None:
    """Learn the embedder's thresholds on one half of the data and measure them on the other."""
    from siliconfriend.evaluation.datasets import read_json, read_questions
    from siliconfriend.evaluation.table import thresholds_table
    from siliconfriend.evaluation.talk import read_talks
    from siliconfriend.evaluation.thresholds import learn_thresholds
    from siliconfriend.recall.thresholds import add_thresholds

    settings = app.settings()
    if app.runtime(settings).embedder is None:
        raise UsageError("thresholds_words_only")
    asked = [read_questions(file) for file in questions]
    banks = [read_json(file) for file in bank]
    files = [read_talks(read_json(file)) for file in talks]
    with measuring_bench(app, settings, outputs) as bench:
        people = [bench.import_bank(it) for it in banks]
        learned, rows = learn_thresholds(bench, people, asked, files)
        name = bench.runtime.embedder.name if bench.runtime.embedder else ""
    if outputs.out is not None:
        add_thresholds(outputs.out, name, learned)
    given = {"bank": bank, "questions": questions, "talks": talks}
    table = thresholds_table(rows, app.language)
    report(app, settings, Measurement("thresholds", given, rows, table), outputs)


@measurement_command("likelihood")
@file_option("life", "lives", multiple=True)
@click.option(
    "--filler",
    "fillers",
    metavar="BANK",
    type=FilePath(),
    multiple=True,
    help=evaluation_help("fillers"),
)
@output_options("likelihood_out")
@pass_app
def likelihood(
    app: App, life: tuple[Path, ...], fillers: tuple[Path, ...], outputs: Outputs
) -> None:
    """Learn what each sign counts that a memory is meant, and measure it crosswise."""
    from siliconfriend.dialogue.likelihood import write_weights
    from siliconfriend.evaluation.datasets import read_json
    from siliconfriend.evaluation.life import language_of_filler, read_filler, read_life
    from siliconfriend.evaluation.likelihood import learn_likelihood
    from siliconfriend.evaluation.table import likelihood_table

    settings = app.settings()
    lives = [read_life(read_json(file)) for file in life]
    everyday = {language_of_filler(it): it for it in map(read_filler, map(read_json, fillers))}
    with measuring_bench(app, settings, outputs) as bench:
        learned, rows = learn_likelihood(
            bench, [(it, everyday.get(it.language, ())) for it in lives]
        )
        embedder = bench.runtime.embedder
    if outputs.out is not None:
        write_weights(outputs.out, embedder.name if embedder else None, learned)
    given, table = {"life": life, "filler": fillers}, likelihood_table(rows, app.language)
    report(app, settings, Measurement("likelihood", given, rows, table), outputs)

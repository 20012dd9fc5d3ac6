"""``evaluate``: what is recalled and what is answered, by each recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.clock import FixedClock
from siliconfriend.config import Settings

from .app import App
from .options import AT_LEAST_1, FILE, Decorator, Group, flag, json_option, local, option
from .terminal import progress_bar

if TYPE_CHECKING:
    from siliconfriend.evaluation.bench import Bench
    from siliconfriend.evaluation.table import Row


@click.group("evaluate", cls=Group)
def evaluate_command() -> None:
    """Measure what is recalled and answered, by each recipe."""


def _file(name: str, words: str, **how: Any) -> Decorator:
    how = {"required": True} | how
    return click.option(f"--{name}", metavar="FILE", type=FILE, help=words, **how)


def _parse_depths(context: click.Context, option: click.Parameter, written: str) -> tuple[int, ...]:
    """Parse numbers separated by commas, each 1 or more; sorted, each once."""
    parts = [part.strip() for part in written.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        words = "{value} is not a list of whole numbers above 0, such as 1,5,10."
        raise click.BadParameter(local(words, value=written), context, option)
    return tuple(sorted({int(part) for part in parts}))


def _depths(usual: str) -> Decorator:
    how: Any = {"metavar": "K,…", "default": usual, "show_default": True}
    return click.option(
        "--k", "depths", callback=_parse_depths, help="How many of the first.", **how
    )


bank_file = _file("bank", "People in MemoryBank's form.")
questions_file = _file("questions", "Their questions, a JSON object a line.")


@dataclass(frozen=True)
class Run:
    """One measurement: what is measured, and how it is shown."""

    app: App
    recipes: Sequence[str]
    vectors: Path | None

    def measure(
        self,
        evaluate: Callable[[Bench], Sequence[Row]],
        trials: Mapping[str, str] = MappingProxyType({}),
        settings: Settings | None = None,
    ) -> None:
        """Measure at the moment that ``--now`` names and print; ``trials`` as for the table."""
        from siliconfriend.evaluation.bench import open_bench
        from siliconfriend.evaluation.table import show_table

        settings, clock = settings or self.app.settings(), self.app.clock
        now = clock.now(settings.zone) if isinstance(clock, FixedClock) else None
        with (
            progress_bar() as advance,
            open_bench(settings, vectors=self.vectors, now=now, advance=advance) as bench,
        ):
            rows = evaluate(bench)
        if not self.app.answer_json({"results": rows}):
            show_table(rows, trials, local("In brackets: the 95% interval of the share (Wilson)."))


def _measuring(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of every measurement, and pass them as ``run``."""

    @wraps(command)
    def start(app: App, /, recipes: tuple[str, ...], vectors: Path | None, **given: Any) -> None:
        from siliconfriend.recall.recipes import RECIPES, recipe_named

        for name in recipes:
            recipe_named(name)
        command(Run(app, [*dict.fromkeys(recipes or RECIPES)], vectors), **given)

    recipe = option("--recipe", "R", "Only this recipe; repeatable.", "recipes", multiple=True)
    vectors = _file("vectors", "Keep embeddings here for the next run.", required=False)
    return recipe(vectors(json_option(start)))


@evaluate_command.command("probing")
@bank_file
@questions_file
@_depths("1,3,6")
@_measuring
def probing_command(run: Run, bank: Path, questions: Path, depths: tuple[int, ...]) -> None:
    """MemoryBank's probing questions: is the evidence among the first turns?"""
    from siliconfriend.evaluation import datasets, probing

    asked, people = datasets.read_questions(questions), datasets.read_json(bank)

    def evaluate(bench: Bench) -> Sequence[Row]:
        scopes = bench.import_bank(people)
        return probing.evaluate_probing(bench, scopes, asked, run.recipes, ks=depths)

    run.measure(evaluate, probing.TRIALS)


@evaluate_command.command("locomo")
@_file("data", "LoCoMo's conversations.")
@_depths("5,10,20")
@_measuring
def locomo_command(run: Run, data: Path, depths: tuple[int, ...]) -> None:
    """LoCoMo's conversations: how much of the evidence is among the first utterances?"""
    from siliconfriend.evaluation import datasets, locomo

    talks = locomo.read_conversations(datasets.read_json(data))
    run.measure(lambda bench: locomo.evaluate_locomo(bench, talks, run.recipes, ks=depths))


@evaluate_command.command("answers")
@bank_file
@questions_file
@option("--limit", "N", "Ask only so many, evenly spread.", type=AT_LEAST_1)
@_measuring
def answers_command(run: Run, bank: Path, questions: Path, limit: int | None) -> None:
    """The whole reply flow over the probing questions, graded."""
    from siliconfriend.evaluation import answers, datasets

    asked, people = datasets.read_questions(questions), datasets.read_json(bank)
    settings = run.app.settings()
    chat = run.app.bank(settings).runtime.chat
    run.measure(
        lambda bench: answers.evaluate_answers(
            bench, bench.import_bank(people), asked, run.recipes, chat=chat, limit=limit
        ),
        settings=settings,
    )


@evaluate_command.command("talk")
@_file("talks", "Memories of one person, and talks.")
@_depths("1,3,5,10")
@_measuring
def talk_command(run: Run, talks: Path, depths: tuple[int, ...]) -> None:
    """Talks: which old memories come to mind before the companion answers?"""
    from siliconfriend.evaluation import datasets, talk

    file = talk.read_talks(datasets.read_json(talks))
    run.measure(lambda bench: talk.evaluate_talks(bench, file, run.recipes, ks=depths))


@evaluate_command.command("life")
@_file("life", "What one person told, and what is asked about it.")
@_file("filler", "MemoryBank file, spread over the life's days.", required=False)
@flag("--no-night", "Measure before a night only.")
@_measuring
def life_command(run: Run, life: Path, filler: Path | None, no_night: bool) -> None:
    """A life: does what was told reach the prompt and the offline reply?"""
    from siliconfriend.evaluation import datasets
    from siliconfriend.evaluation.life import TRIALS, evaluate_life, read_filler, read_life

    lived, night = read_life(datasets.read_json(life)), not no_night
    everyday = read_filler(datasets.read_json(filler)) if filler else ()
    run.measure(
        lambda bench: evaluate_life(bench, lived, run.recipes, filler=everyday, night=night),
        TRIALS,
        # What is measured is what the companion can do without a model.
        replace(run.app.settings(), llm="offline"),
    )


@evaluate_command.command("likelihood")
@_file("life", "What one person told, and what is asked about it.", multiple=True)
@_file("held", "Measure on this life.", multiple=True, required=False)
@_file("talks", "Learn from every other talk, measure on the rest.", multiple=True, required=False)
@_file("locomo", "The same of LoCoMo's conversations.", multiple=True, required=False)
@_file("filler", "MemoryBank file, spread over lives.", multiple=True, required=False)
@_file("out", "Add the weights to this file.", required=False)
@_measuring
def likelihood_command(run: Run, /, out: Path | None, **files: tuple[Path, ...]) -> None:
    """Learn from lives how likely a memory is what a message calls for."""
    from siliconfriend.evaluation import datasets, life, likelihood, locomo, talk
    from siliconfriend.recall.likelihood import write_model

    given = {name: [*map(datasets.read_json, paths)] for name, paths in files.items()}
    fillers = [life.read_filler(document) for document in given["filler"]]
    everyday = {life.language_of_filler(told): told for told in fillers}
    lives, held = (
        [(one, everyday.get(one.language, [])) for one in map(life.read_life, given[name])]
        for name in ("life", "held")
    )
    talks = [talk.read_talks(document) for document in given["talks"]]
    conversations = [it for data in given["locomo"] for it in locomo.read_conversations(data)]

    def learn(bench: Bench) -> Sequence[Row]:
        model, rows = likelihood.learn_likelihood(bench, lives, held, talks, conversations)
        if out is not None:
            embedder = bench.runtime.embedder
            write_model(out, embedder.name if embedder else None, model)
        return rows

    run.measure(learn, likelihood.TRIALS)

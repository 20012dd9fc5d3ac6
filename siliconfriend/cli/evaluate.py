"""``evaluate``: what is recalled and what is answered, by each recipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.clock import FixedClock

from .app import App
from .options import Answer, Decorator, Group, flag, local, option
from .terminal import progress_bar

if TYPE_CHECKING:
    from siliconfriend.evaluation.bench import Bench
    from siliconfriend.evaluation.table import Row

    Measure = Callable[[Bench, Sequence[str]], Sequence[Row]]
    """Measures each of some recipes on a bench."""


evaluate_command = Group("evaluate", help="Measure what is recalled and answered, by each recipe.")


def _file(name: str, words: str, **how: Any) -> Decorator:
    return option(f"--{name}", "FILE", words, **({"required": True} | how))


def _parse_depths(context: click.Context, option: click.Parameter, written: str) -> tuple[int, ...]:
    parts = [part.strip() for part in written.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        words = "{value} is not a list of whole numbers above 0, such as 1,5,10."
        raise click.BadParameter(local(words, value=written), context, option)
    return tuple(sorted({int(part) for part in parts}))


def _depths(usual: str) -> Decorator:
    how: Any = {"callback": _parse_depths, "default": usual, "show_default": True}
    return option("--k", "K,…", "How many of the first.", "ks", **how)


bank_file = _file("bank", "People in MemoryBank's form.")
questions_file = _file("questions", "Their questions, a JSON object a line.")


def _measuring(command: Callable[..., Measure]) -> Callable[..., Any]:
    """Add the options of every measurement; run what the command returns, and print the rows.

    The moment is the one that ``--now`` names, if any.
    """

    @wraps(command)
    def start(app: App, /, recipes: tuple[str, ...], vectors: Path | None, **given: Any) -> None:
        from siliconfriend.evaluation.bench import open_bench
        from siliconfriend.evaluation.table import show_table
        from siliconfriend.recall.recipes import RECIPES, recipe_named

        for name in recipes:
            recipe_named(name)
        measure, settings, clock = command(app, **given), app.settings(), app.clock
        now = clock.now(settings.zone) if isinstance(clock, FixedClock) else None
        with (
            progress_bar() as advance,
            open_bench(settings, vectors=vectors, now=now, advance=advance) as bench,
        ):
            rows = measure(bench, [*dict.fromkeys(recipes or RECIPES)])
        app.answer_json({"results": rows})
        if not app.as_json:
            show_table(rows, local("In brackets: the 95% interval of the share (Wilson)."))

    recipe = option("--recipe", "R", "Only this recipe; repeatable.", "recipes", multiple=True)
    vectors = _file("vectors", "Keep embeddings here for the next run.", required=False)
    return recipe(vectors(start))


@evaluate_command.command("probing", cls=Answer)
@bank_file
@questions_file
@_depths("1,3,6")
@_measuring
def probing_command(_: App, /, bank: Path, questions: Path, ks: tuple[int, ...]) -> Measure:
    """MemoryBank's probing questions: is the evidence among the first turns?"""
    from siliconfriend.evaluation import datasets
    from siliconfriend.evaluation.questions import evaluate_probing, read_questions

    asked, people = read_questions(questions), datasets.read_json(bank)
    return lambda bench, recipes: evaluate_probing(
        bench, bench.import_bank(people), asked, recipes, ks=ks
    )


@evaluate_command.command("locomo", cls=Answer)
@_file("data", "LoCoMo's conversations.")
@_depths("5,10,20")
@_measuring
def locomo_command(_: App, /, data: Path, ks: tuple[int, ...]) -> Measure:
    """LoCoMo's conversations: how much of the evidence is among the first utterances?"""
    from siliconfriend.evaluation import datasets, locomo

    talks = locomo.read_conversations(datasets.read_json(data))
    return lambda bench, recipes: locomo.evaluate_locomo(bench, talks, recipes, ks=ks)


@evaluate_command.command("answers", cls=Answer)
@bank_file
@questions_file
@option("--limit", "N", "Ask only so many, evenly spread.")
@_measuring
def answers_command(app: App, /, bank: Path, questions: Path, limit: int | None) -> Measure:
    """The whole reply flow over the probing questions, graded."""
    from siliconfriend.evaluation import datasets
    from siliconfriend.evaluation.questions import evaluate_answers, read_questions

    asked, people = read_questions(questions), datasets.read_json(bank)
    chat = app.bank().runtime.chat
    return lambda bench, recipes: evaluate_answers(
        bench, bench.import_bank(people), asked, recipes, chat=chat, limit=limit
    )


@evaluate_command.command("talk", cls=Answer)
@_file("talks", "Memories of one person, and talks.")
@_depths("1,3,5,10")
@_measuring
def talk_command(_: App, /, talks: Path, ks: tuple[int, ...]) -> Measure:
    """Talks: which old memories come to mind before the companion answers?"""
    from siliconfriend.evaluation import datasets, talk

    file = talk.read_talks(datasets.read_json(talks))
    return lambda bench, recipes: talk.evaluate_talks(bench, file, recipes, ks=ks)


@evaluate_command.command("life", cls=Answer)
@_file("life", "What one person told, and what is asked about it.")
@_file("filler", "MemoryBank file, spread over the life's days.", required=False)
@flag("--no-night", "Measure before a night only.")
@_measuring
def life_command(_: App, /, life: Path, filler: Path | None, no_night: bool) -> Measure:
    """A life: does what was told reach the prompt and the offline reply?"""
    from siliconfriend.evaluation import datasets
    from siliconfriend.evaluation.bench import read_turns
    from siliconfriend.evaluation.life import evaluate_life, read_life

    lived = read_life(datasets.read_json(life))
    everyday = read_turns(datasets.read_json(filler)) if filler else ()
    return lambda bench, recipes: evaluate_life(
        bench, lived, recipes, filler=everyday, night=not no_night
    )


@evaluate_command.command("likelihood", cls=Answer)
@_file("life", "What one person told, and what is asked about it.", multiple=True)
@_file("held", "Measure on this life.", multiple=True, required=False)
@_file("talks", "Learn from every other talk, measure on the rest.", multiple=True, required=False)
@_file("locomo", "The same of LoCoMo's conversations.", multiple=True, required=False)
@_file("filler", "MemoryBank file, spread over lives.", multiple=True, required=False)
@_file("out", "Add the weights to this file.", required=False)
@_measuring
def likelihood_command(_: App, /, out: Path | None, **files: tuple[Path, ...]) -> Measure:
    """Learn from lives how likely a memory is what a message calls for."""
    from siliconfriend.evaluation import datasets, life, likelihood, locomo, talk
    from siliconfriend.evaluation.bench import language_of_texts, read_turns
    from siliconfriend.recall.likelihood import write_model

    given = {name: [*map(datasets.read_json, paths)] for name, paths in files.items()}
    fillers = map(read_turns, given["filler"])
    everyday = {language_of_texts(it.words for it in told): told for told in fillers}
    lives, held = (
        [(one, everyday.get(one.language, [])) for one in map(life.read_life, given[name])]
        for name in ("life", "held")
    )
    talks = [talk.read_talks(document) for document in given["talks"]]
    conversations = [it for data in given["locomo"] for it in locomo.read_conversations(data)]

    def learn(bench: Bench, _recipes: Sequence[str]) -> Sequence[Row]:
        model, rows = likelihood.learn_likelihood(bench, lives, held, talks, conversations)
        if out is not None:
            embedder = bench.runtime.embedder
            write_model(out, embedder.name if embedder else None, model)
        return rows

    return learn

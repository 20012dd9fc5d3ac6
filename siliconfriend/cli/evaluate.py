"""``evaluate``: measure recall and answers of each recipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.clock import FixedClock
from siliconfriend.evaluation.datasets import read_json
from siliconfriend.texts import N_

from .app import App
from .options import Decorator, Group, JsonCommand, flag, local, option
from .terminal import progress_bar

if TYPE_CHECKING:
    from siliconfriend.evaluation.bench import Bench
    from siliconfriend.evaluation.conversations import Conversation
    from siliconfriend.evaluation.table import Row

evaluate_command = Group("evaluate", help=N_("Measure recall and answers of each recipe."))


def _file(name: str, words: str, **how: Any) -> Decorator:
    return option(f"--{name}", "FILE", words, **({"required": True} | how))


def _parse_depths(context: click.Context, option: click.Parameter, written: str) -> tuple[int, ...]:
    parts = [part.strip() for part in written.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        words = N_("{value} is not a list of whole numbers above 0, such as 1,5,10.")
        raise click.BadParameter(local(words, value=written), context, option)
    return tuple(sorted({int(part) for part in parts}))


def _depths(usual: str) -> Decorator:
    how: Any = {"callback": _parse_depths, "default": usual, "show_default": True}
    return option("--k", "K,…", "Ranks to measure at.", "ks", **how)


bank_file = _file("bank", N_("People in MemoryBank's form."))
questions_file = _file("questions", N_("Their questions (JSON lines)."))


def _measuring(measure: Callable[..., list[Row]], usual: Sequence[str] = ()) -> Callable[..., None]:
    """Add the common options, run a measurement on a bench, and print its rows.

    ``usual`` are the default recipes; all if empty.
    """

    @wraps(measure)
    def start(
        app: App,
        /,
        recipes: tuple[str, ...],
        without: tuple[str, ...],
        vectors: Path | None,
        **given: Any,
    ) -> None:
        from siliconfriend.evaluation.bench import choose_recipes, open_bench
        from siliconfriend.evaluation.table import show_table

        chosen = choose_recipes(recipes, usual, without)
        settings, clock = app.settings(), app.clock
        now = clock.now(settings.zone) if isinstance(clock, FixedClock) else None
        with (
            progress_bar() as advance,
            open_bench(settings, vectors=vectors, now=now, advance=advance) as bench,
        ):
            rows = measure(bench, recipes=chosen, **given)
        app.answer({"results": rows})
        if not app.as_json:
            show_table(rows, local("In brackets: the interval of the share at 95% (Wilson)."))

    recipe = option("--recipe", "R", "Only this recipe; repeatable.", "recipes", multiple=True)
    words = N_("Also measure without this feature of the judge; repeatable.")
    without = option("--without", "FEATURE", words, multiple=True)
    vectors = _file("vectors", N_("File with embeddings for the next run."), required=False)
    return recipe(without(vectors(start)))


@evaluate_command.command("probing", cls=JsonCommand)
@bank_file
@questions_file
@_depths("1,3,6")
@_measuring
def probing_command(bench: Bench, bank: Path, questions: Path, **how: Any) -> list[Row]:
    """MemoryBank's probing questions: is the evidence among the first turns?"""
    from siliconfriend.evaluation.measures import evaluate_recall
    from siliconfriend.evaluation.probing import read_probing, read_questions

    rows = evaluate_recall(bench, read_probing(read_json(bank), read_questions(questions)), **how)
    return [{**row, "hit": row["complete"]} for row in rows]


@evaluate_command.command("conversations", cls=JsonCommand)
@_file("data", N_("A conversation in the common form; repeatable."), multiple=True)
@click.argument("more", metavar="[FILE]…", nargs=-1, type=click.Path(path_type=Path))
@option("--limit", "N", "Ask only this many, evenly spread.")
@partial(_measuring, usual=("siliconfriend", "bm25", "cosine", "rrf"))
def conversations_command(
    bench: Bench, data: tuple[Path, ...], more: tuple[Path, ...], **how: Any
) -> list[Row]:
    """Conversations: does the evidence reach recall, the prompt and the offline reply?"""
    from siliconfriend.evaluation.conversations import read_conversation
    from siliconfriend.evaluation.measures import evaluate_conversations

    read = [read_conversation(read_json(path)) for path in (*data, *more)]
    return evaluate_conversations(bench, read, **how)


@evaluate_command.command("locomo", cls=JsonCommand)
@_file("data", N_("LoCoMo's conversations."))
@_depths("5,10,20")
@_measuring
def locomo_command(bench: Bench, data: Path, **how: Any) -> list[Row]:
    """LoCoMo's conversations: how much of the evidence is among the first utterances?"""
    from siliconfriend.evaluation.locomo import read_locomo
    from siliconfriend.evaluation.measures import evaluate_recall

    return evaluate_recall(bench, read_locomo(read_json(data)), **how)


@evaluate_command.command("answers", cls=JsonCommand)
@bank_file
@questions_file
@option("--limit", "N", "Ask only this many, evenly spread.")
@_measuring
def answers_command(bench: Bench, bank: Path, questions: Path, **how: Any) -> list[Row]:
    """Grade the replies to the probing questions."""
    from siliconfriend.evaluation.grading import evaluate_answers
    from siliconfriend.evaluation.probing import read_probing, read_questions

    return evaluate_answers(bench, read_probing(read_json(bank), read_questions(questions)), **how)


@evaluate_command.command("talk", cls=JsonCommand)
@_file("talks", N_("Memories of one person, and talks."))
@_depths("1,3,5,10")
@_measuring
def talk_command(bench: Bench, talks: Path, **how: Any) -> list[Row]:
    """Talks: which old memories come to mind before the companion answers?"""
    from siliconfriend.evaluation.measures import evaluate_recall
    from siliconfriend.evaluation.talk import read_talks

    rows = evaluate_recall(bench, [read_talks(read_json(talks))], **how)
    # No floor cuts what is recalled, so that both figures are the same.
    return [{**row, "talks": row["questions"], "without_floor": row["recall"]} for row in rows]


@evaluate_command.command("life", cls=JsonCommand)
@_file("life", N_("A person's statements and questions about them."))
@_file("filler", N_("MemoryBank file, spread over the life's days."), required=False)
@flag("--no-night", "Measure before a night only.")
@_measuring
def life_command(
    bench: Bench, life: Path, filler: Path | None, no_night: bool, **how: Any
) -> list[Row]:
    """A life: does what was told reach the prompt and the offline reply?"""
    from siliconfriend.evaluation.bench import read_turns
    from siliconfriend.evaluation.life import evaluate_life, read_life

    everyday = read_turns(read_json(filler)) if filler else ()
    lived = read_life(read_json(life))
    return evaluate_life(bench, lived, filler=everyday, night=not no_night, **how)


@evaluate_command.command("likelihood", cls=JsonCommand)
@_file("life", N_("A person's statements and questions about them."), multiple=True)
@_file("held", N_("A life to measure on."), multiple=True, required=False)
@_file(
    "data",
    N_("Conversations or talks: half to learn from, half to measure."),
    multiple=True,
    required=False,
)
@_file("filler", N_("MemoryBank file, spread over the lives."), multiple=True, required=False)
@_file("questions", N_("Probing questions of each filler."), multiple=True, required=False)
@_file("out", N_("File to add the weights to."), required=False)
@_measuring
def likelihood_command(bench: Bench, out: Path | None, **files: Any) -> list[Row]:
    """Learn the weights of the judge."""
    from siliconfriend.evaluation import life, likelihood, probing
    from siliconfriend.evaluation.bench import language_of_texts, read_turns

    given = {name: [*map(read_json, files[name])] for name in ("life", "held", "data", "filler")}
    fillers = map(read_turns, given["filler"])
    everyday = {language_of_texts(text.words for text in told): told for told in fillers}
    lives, held = (
        [(one, everyday.get(one.language, [])) for one in map(life.read_life, given[name])]
        for name in ("life", "held")
    )
    data = [one for document in given["data"] for one in _conversations(document)]
    for bank, questions in zip(given["filler"], files["questions"], strict=False):
        data += probing.read_probing(bank, probing.read_questions(questions))
    return likelihood.learn_likelihood(bench, lives, held, data, out)


def _conversations(document: Any) -> list[Conversation]:
    """Read the conversations of LoCoMo's form, of talks, or in the common form."""
    from siliconfriend.evaluation import conversations, locomo, talk

    if isinstance(document, list):
        return locomo.read_locomo(document)
    is_talks = isinstance(document, dict) and "talks" in document
    return [(talk.read_talks if is_talks else conversations.read_conversation)(document)]

"""``doctor``: checks of everything the settings name, a line each, and repairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from .app import App
from .options import Command, json_option
from .terminal import BAD, GOOD, progress_bar, shell_word, styled

if TYPE_CHECKING:
    from siliconfriend.person.checkup import Check, Repaired

NAMES = {"home": "data directory", "jobs": "unfinished", "second_model": "second model"}
"""Display names of checks that differ from their own names."""
MORE_CONTEXT = {
    "ollama": "To have more, start Ollama with OLLAMA_CONTEXT_LENGTH=16384.",
    "llamacpp": "To have more, start llama-server with -c 16384.",
    "lmstudio": "To have more, load the model in LM Studio with a context length of 16384.",
    "vllm": "To have more, start vLLM with --max-model-len 16384.",
    "other": "If the server serves more, say so with SILICONFRIEND_CONTEXT_TOKENS.",
}
EMPTY = (
    "The memory of {name} was damaged ({files}); no turn of it can be read, and it begins again."
)
RIGHT = "The memory of {name} was damaged ({files}) and is put right: {turns}, the last of {until}."
WHOLE = " All of it is there."
LOST = " {lost} of the changes are lost."
END_LOST = " What came after them is lost, and nobody knows how much that is."
DOUBTFUL = " It is not what this program wrote: words in it may be other ones than were said."


@click.command("doctor", cls=Command)
@click.option(
    "--repair", "repairs", is_flag=True, help="Mend damaged memories, and keep what was damaged."
)
@json_option
def doctor_command(app: App, repairs: bool) -> int:
    """Check store, texts, companions, embedder, index and model."""
    from siliconfriend.person.checkup import check, repair

    bank = app.bank()
    repaired = list(repair(bank)) if repairs else []
    with progress_bar() as advance:
        checks = list(check(bank, advance))
    told = [(found, _detail(app, found)) for found in checks]
    done = {"repaired": [one.to_json(app.language) for one in repaired]} if repairs else {}
    document = {
        "ok": not any(found.error for found in checks),
        "checks": [
            {"name": found.name, "ok": not found.error, "detail": detail} for found, detail in told
        ],
    }
    if not app.answer_json(done | document):
        if repairs:
            _print_repairs(app, repaired)
        for found, detail in told:
            mark = app.text("FAULT" if found.error else "ok   ")
            mark = styled(mark, BAD if found.error else GOOD)
            click.echo(f"{mark} {app.text(NAMES.get(found.name, found.name))}: {detail}")
    return next((found.error.exit_code for found in checks if found.error), 0)


def _detail(app: App, check: Check) -> str:
    found = check.found
    if check.error is not None:
        return check.error.message(app.language)
    match check.name:
        case "home":
            is_there, later = "{home} can be written", "{home} will be made when something is kept"
            return app.text(is_there if found["is_there"] else later, home=found["home"])
        case "jobs":
            return app.text("nothing is left half-done")
        case "store":
            return app.text("{people} with {turns}, all read whole", **found)
        case "texts":
            folder = found["folder"] or app.text("those of the program")
            return app.text("prompts complete in both languages ({folder})", folder=folder)
        case "companions":
            words = app.text("{companions} with {facts} and {events}, all read whole", **found)
            silent = "; without a greeting in each of its languages: {names}"
            names = app.join(found["silent"])
            return words + app.text(silent, names=names) if names else words
        case "embedder":
            if not found:
                return app.text("none: memories are found by their words only")
            words = "{name} gives vectors of {dimension} numbers ({seconds:.1f} s to start)"
            return app.text(words, **found)
        case "index":
            return app.text("level with the memory of {people}", **found)
    return _model(app, found)


def _model(app: App, found: Mapping[str, Any]) -> str:
    if not found:
        none = "none: replies come from memory alone, and nothing leaves this machine"
        return app.text(none)
    words = app.text("{name} at {address} answers ({seconds:.1f} s)", **found)
    if "tokens" not in found:
        return words
    lines = [words + app.text("; {tokens} tokens of context", tokens=found["tokens"])]
    if found["wanted"]:
        less = "Careful: context_tokens is {wanted}, but the server serves {serves}, which counts."
        lines.append(app.text(less, **found))
    if found["kind"]:
        small = (
            "Careful: with {tokens} tokens of context little that is remembered has room. {more}"
        )
        more = app.text(MORE_CONTEXT.get(found["kind"], MORE_CONTEXT["other"]))
        lines.append(app.text(small, tokens=found["tokens"], more=more))
    return "\n      ".join(lines)


def _print_repairs(app: App, repaired: Sequence[Repaired]) -> None:
    """Say of each memory what was saved, what was not, and where the rest may be."""
    if not repaired:
        app.echo("No memory is damaged.")
    for one in repaired:
        click.echo(_repair_sentence(app, one))
        for path in one.repair.kept if one.repair is not None else ():
            app.echo("  Kept as it was: {path}", path=path)
        words = "  A backup of {made} holds it: siliconfriend --home NEW_DIRECTORY restore {path}"
        for path, made in one.backups.items():
            app.echo(words, path=shell_word(str(path)), made=made)


def _repair_sentence(app: App, one: Repaired) -> str:
    if one.repair is None or one.scope is None:
        return one.error.message(app.language) if one.error else ""
    done = one.repair
    what = {"name": one.scope.person, "files": ", ".join(done.files)}
    if not (done.turns or done.is_whole):
        return app.text(EMPTY, **what)
    more = LOST if done.lost else DOUBTFUL if done.is_doubtful else WHOLE
    more = END_LOST if done.lost is None else more
    words = app.text(RIGHT, turns=done.turns, until=done.until, **what)
    return words + app.text(more, lost=done.lost)

"""``doctor``: checks of everything the settings name, a line each, and repairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .app import App
from .options import Command, flag, json_option
from .terminal import BAD, GOOD, progress_bar, shell_word, styled

if TYPE_CHECKING:
    from siliconfriend.person.checkup import Check, Repaired

NAMES = {"home": "data directory", "jobs": "unfinished", "second_model": "second model"}
"""Display names of checks that differ from their own names."""
DETAILS = {
    "home": "{home} can be written",
    "jobs": "nothing is left half-done",
    "store": "{people} with {turns}, all read whole",
    "texts": "prompts complete in both languages ({folder})",
    "companions": "{companions} with {facts} and {events}, all read whole",
    "embedder": "{name} gives vectors of {dimension} numbers ({seconds:.1f} s to start)",
    "index": "level with the memory of {people}",
    "model": "{name} at {address} answers ({seconds:.1f} s)",
    "second_model": "{name} at {address} answers ({seconds:.1f} s)",
}
WITHOUT = {
    "embedder": "none: memories are found by their words only",
    "model": "none: replies come from memory alone, and nothing leaves this machine",
}
LESS_CONTEXT = "Careful: context_tokens is {wanted}, but the server serves {serves}, which counts."
LITTLE_CONTEXT = (
    "Careful: with {tokens} tokens of context little that is remembered has room. {more}"
)
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
@flag("--repair", "Mend damaged memories, and keep what was damaged.", "repairs")
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
    rows = [{"name": it.name, "ok": not it.error, "detail": detail} for it, detail in told]
    if not app.answer_json(done | {"ok": all(row["ok"] for row in rows), "checks": rows}):
        if repairs:
            _print_repairs(app, repaired)
        for found, detail in told:
            mark = app.text("FAULT" if found.error else "ok   ")
            mark = styled(mark, BAD if found.error else GOOD)
            click.echo(f"{mark} {app.text(NAMES.get(found.name, found.name))}: {detail}")
    return next((found.error.exit_code for found in checks if found.error), 0)


def _detail(app: App, check: Check) -> str:
    if check.error is not None:
        return check.error.message(app.language)
    found = dict(check.found)
    match check.name:
        case "home" if not found["is_there"]:
            return app.text("{home} will be made when something is kept", **found)
        case "texts" if found["folder"] is None:
            found["folder"] = app.text("those of the program")
        case "embedder" | "model" if not found:
            return app.text(WITHOUT[check.name])
    lines = [app.text(DETAILS[check.name], **found)]
    if found.get("silent"):
        words = "; without a greeting in each of its languages: {names}"
        lines[0] += app.text(words, names=app.join(found["silent"]))
    if "tokens" in found:
        lines[0] += app.text("; {tokens} tokens of context", tokens=found["tokens"])
        if found["wanted"]:
            lines.append(app.text(LESS_CONTEXT, **found))
        if found["kind"]:
            more = app.text(MORE_CONTEXT.get(found["kind"], MORE_CONTEXT["other"]))
            lines.append(app.text(LITTLE_CONTEXT, tokens=found["tokens"], more=more))
    return "\n      ".join(lines)


def _print_repairs(app: App, repaired: Sequence[Repaired]) -> None:
    if not repaired:
        app.echo("No memory is damaged.")
    for one in repaired:
        click.echo(_repair_sentence(app, one))
        for path in one.repair.kept if one.repair is not None else ():
            app.echo("  Kept as it was: {path}", path=path)
        words = "  A backup of {made} holds it: siliconfriend --home NEW_DIRECTORY restore {path}"
        for path, made in one.backups.items():
            app.echo(words, path=shell_word(path), made=made)


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

"""The talk's panel: above it the line that no model is set, with the button that sets one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.memory.private_files import write_settings
from siliconfriend.models.choices import (
    OFFLINE,
    ModelChoice,
    choice_names,
    describe_choice,
    find_local_model,
    get_local_model,
    try_model,
    typed_choice,
)

from .backend import Backend, Visit, steps_of
from .components import PRIVATE, fills, gr, make_talk, make_view, shown
from .forms import button, field, progress, sheet
from .words import plain, quiet


def lay_out(backend: Backend) -> None:
    """Put the line and the talk into the column that is open."""
    view = make_view("chat", elem_id="model")
    fills(backend, view, view.select, lambda visit, _event: shown(line(visit)))
    fills(backend, view, view.click, lambda visit, _event: shown(sheet=choices(visit)))

    def choose(event: gr.EventData, request: gr.Request) -> Iterator[Any]:
        try:
            yield from steps(backend.visit(request), event._data["fields"])
        except SiliconFriendError as error:
            yield shown(status=error.message(backend.language_of(request)))

    view.submit(choose, None, [view], **PRIVATE)
    make_talk()


def line(visit: Visit) -> str:
    """Return the line; nothing where a model is set."""
    if visit.backend.chat is not None:
        return ""
    choose = button(visit.say("model.choose"), "choose", "", "sf-link")
    return f'<p class="sf-no-model">{plain(visit.say("model.none"))}{choose if _may(visit) else ""}</p>'


def choices(visit: Visit) -> str:
    """Return the form in which a model is chosen."""
    names = [name for name in choice_names() if name != OFFLINE]
    ticks = ""
    for place, name in enumerate(names):
        shown_as, note = describe_choice(name, visit.language)
        ticks += (
            f'<label class="sf-check"><input type="radio" name="choice" value="{plain(name)}"'
            f"{'' if place else ' checked'}><span><b>{plain(shown_as)}</b> "
            f"{plain(note)}</span></label>"
        )
    fields = "".join(
        field(name, visit.say(f"model.{name}"), more='autocomplete="off"')
        for name in ("name", "address")
    )
    key = field("key", visit.say("model.key"), more='type="password" autocomplete="off"')
    body = f"<fieldset>{ticks}</fieldset>{key}<details><summary>{plain(visit.say('model.more'))}</summary>{fields}</details>"
    title, no, yes = visit.say("model.title"), visit.say("cancel"), visit.say("model.use")
    return sheet("model", "", title, body, no, yes)


def steps(visit: Visit, fields: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Fetch the chosen model where it has to be, try it, and write it down; yields what is done.

    Raises:
        SiliconFriendError: it does not answer; nothing was written then.
    """
    if not _may(visit):
        raise UsageError("companion_not_yours")
    backend, settings = visit.backend, visit.backend.settings

    def work(tell: Callable[..., None]) -> ModelChoice:
        local = find_local_model(fields.get("choice", ""))
        if local is not None:
            choice = get_local_model(settings.home, local, tell)
        else:
            typed = (fields.get(it, "").strip() or None for it in ("name", "address", "key"))
            choice = typed_choice(fields.get("choice", ""), *typed)
        try_model(choice.settings(settings))
        return choice

    def draw(done: int, whole: int) -> dict[str, Any]:
        words = visit.say("model.fetching")
        return shown(progress(done, whole, words))

    yield shown(quiet(visit.say("model.trying")))
    try:
        choice: ModelChoice = yield from steps_of(work, draw)
    except SiliconFriendError as error:
        yield shown(line(visit), status=error.message(visit.language))
        return
    write_settings(settings.home, choice.values())
    backend.use_model(choice.settings(settings))
    name = OFFLINE if backend.chat is None else backend.chat.name
    yield shown(line(visit), status=visit.say("model.set", name=name))


def _may(visit: Visit) -> bool:
    """Whoever may open the page where nobody logs in runs it; else the model is the operator's."""
    return not visit.backend.log_in

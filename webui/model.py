"""The talk's panel: above it the line that no model is set, with the button that sets one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.models.choices import (
    OFFLINE,
    choice_settings,
    describe_choices,
    find_local_model,
    get_local_model,
    try_model,
)
from siliconfriend.person.settings_file import write_settings

from .backend import Backend, Visit, steps_of
from .components import button, field, fills, make_talk, make_view, progress, sheet, shown
from .words import plain, quiet


def lay_out(backend: Backend) -> None:
    """Put the line and the talk into the column that is open."""
    view = make_view("chat", elem_id="model")
    fills(backend, [view], [view.select], lambda visit, _event: shown(line(visit)))
    fills(backend, [view], [view.click], lambda visit, _event: shown(sheet=choices(visit)))
    fills(backend, [view], [view.submit], lambda visit, event: steps(visit, event["fields"]))
    make_talk()


def line(visit: Visit) -> str:
    """Return the line; nothing where a model is set."""
    if visit.backend.bank.chat is not None:
        return ""
    choose = button(visit.say("model.choose"), "choose", kind="sf-link") if _may(visit) else ""
    return f'<p class="sf-no-model"><span>{visit.html("model.none")}</span>{choose}</p>'


def choices(visit: Visit) -> str:
    """Return the form in which a model is chosen."""
    ticks = ""
    for name, about in describe_choices(visit.language).items():
        if name != OFFLINE:
            label, note = map(plain, about)
            ticks += (
                f'<label class="sf-check"><input type="radio" name="choice" value="{plain(name)}"'
                f"{'' if ticks else ' checked'}><span><b>{label}</b> {note}</span></label>"
            )
    key, *others = (
        field(name, visit.say(f"model.{name}"), more=f'autocomplete="off" type="{kind}"')
        for name, kind in (("key", "password"), ("name", "text"), ("address", "text"))
    )
    more = f"<details><summary>{visit.html('model.more')}</summary>{''.join(others)}</details>"
    body = f"<fieldset>{ticks}</fieldset>{key}{more}"
    return sheet(visit, "model", "", visit.say("model.title"), body, "model.use")


def steps(visit: Visit, fields: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Fetch the chosen model, try it, write it down, and yield what is done.

    UsageError: this visitor may not set a model.
    """
    if not _may(visit):
        raise UsageError("companion_not_yours")
    backend, settings = visit.backend, visit.backend.settings

    def work(tell: Callable[..., None]) -> dict[str, Any]:
        local = find_local_model(fields.get("choice", ""))
        if local is not None:
            choice = get_local_model(settings.home, local, tell)
        else:
            typed = (fields.get(it, "").strip() or None for it in ("name", "address", "key"))
            choice = choice_settings(fields.get("choice", ""), *typed)
        try_model(replace(settings, **choice))
        return choice

    yield shown(quiet(visit.say("model.trying")))
    told = visit.say("model.fetching")
    try:
        choice: dict[str, Any]
        choice = yield from steps_of(work, lambda done, all_: shown(progress(done, all_, told)))
    except SiliconFriendError as error:
        yield shown(line(visit), status=error.message(visit.language))
        return
    write_settings(settings.home, choice)
    backend.open(replace(settings, **choice))
    name = OFFLINE if backend.bank.chat is None else backend.bank.chat.name
    yield shown(line(visit), status=visit.say("model.set", name=name))


def _may(visit: Visit) -> bool:
    """True where nobody logs in: who opens the page then runs the program and chooses the model."""
    return not visit.backend.log_in

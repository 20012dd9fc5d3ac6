"""The model: its name in the header, and the dialog to choose, test and remove it."""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from siliconfriend.config.presets import local_models, presets
from siliconfriend.config.settings import parse_setting
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.language.sentences import join_sentences
from siliconfriend.person.model_choices import (
    GGUF,
    OFFLINE,
    OTHER,
    choice_settings,
    describe_choices,
    find_local_model,
    get_local_model,
    only_model,
    suggested_model,
    try_model,
)
from siliconfriend.person.settings_file import overruling, write_settings

from .backend import Visit, steps_of
from .components import ViewEvent, shown
from .words import error_words

KINDS = ("here", "service", "server")
"""Where a model runs: on this computer, at a service, or at a server of one's own."""


def view(visit: Visit, event: ViewEvent) -> dict[str, Any] | Iterator[dict[str, Any]]:
    """Show the dialog, test the chosen model, or remove the model."""
    if visit.backend.log_in:  # else the visitor is the operator
        return shown(sheet=visit.draw("model.html", may_choose=False))
    if event["event"] == "submit":
        return steps(visit, event["fields"])
    if event["act"] == "remove":
        return _use(visit, choice_settings(OFFLINE), visit.say("model.removed"))
    return shown(sheet=draw_choices(visit))


def draw_choices(visit: Visit) -> Markup:
    """Return the form: where the model runs, then what that needs; nothing is preselected."""
    settings, chat = visit.backend.settings, visit.backend.bank.chat
    preset = presets().get(settings.llm)
    own = settings.llm_address or (preset.address if preset and preset.is_own_server else "")
    return visit.draw(
        "model.html",
        may_choose=True,
        kinds=KINDS,
        kind="" if chat is None else _kind_of(settings.llm, settings.llm_address),
        local=local_models(),
        described=describe_choices(visit.language),
        best=suggested_model().name,
        services=[one for one in presets().values() if not one.is_own_server],
        own_address=own,
        own_model=settings.model or "" if own else "",
    )


def _kind_of(llm: str, address: str | None) -> str:
    name = llm.partition(":")[0]
    if name == GGUF:
        return "here"
    return "server" if address or presets()[name].is_own_server else "service"


def steps(visit: Visit, fields: Mapping[str, str]) -> Generator[dict[str, Any], None, None]:
    """Download the chosen model, test it, then save the choice; yields the progress.

    UsageError: nothing was chosen, or this visitor may not set a model.
    """
    if visit.backend.log_in:
        raise UsageError("companion_not_yours")
    settings = visit.backend.settings
    given = {name: words.strip() for name, words in fields.items()}
    kind = given.get("kind", "")
    if not (given.get("here") or given.get("path") if kind == "here" else kind in KINDS):
        raise UsageError("model_not_chosen")
    if kind == "server" and not given.get("address"):
        raise UsageError("model_no_address")

    def work(tell: Callable[..., None]) -> dict[str, Any]:
        choice = _choice(visit, kind, given, tell)
        for name, written in choice.items():
            if written is not None:
                parse_setting(name, written)
        if kind == "server" and not choice["model"]:
            choice["model"] = only_model(replace(settings, **choice))
        try_model(replace(settings, **choice))
        return choice

    yield shown(status=visit.say("model.trying"))
    told = visit.say("model.fetching")
    try:
        choice = yield from steps_of(
            work, lambda done, total: shown(status=f"{told} {100 * done // max(total, 1)} %")
        )
    except SiliconFriendError as error:
        why = [error_words(error, visit.language), visit.say("model.failed")]
        yield shown(status=join_sentences(why))
        return
    yield shown()  # ends here if the dialog was closed meanwhile
    yield _use(visit, choice, "")


def _choice(
    visit: Visit, kind: str, given: Mapping[str, str], tell: Callable[..., None]
) -> dict[str, Any]:
    def typed(name: str) -> str | None:
        return given.get(name) or None

    if kind == "service":
        return choice_settings(given["service"], typed("service_model"), None, typed("service_key"))
    if kind == "server":
        is_same = typed("address") == visit.backend.settings.llm_address
        key = typed("key") or (visit.backend.settings.llm_key if is_same else None)
        return choice_settings(OTHER, typed("name"), typed("address"), key)
    local = find_local_model(given.get("here", ""))
    if local is not None and not typed("path"):
        return get_local_model(visit.backend.settings.home, local, tell)
    return choice_settings(GGUF, typed("path"))


def _use(visit: Visit, choice: Mapping[str, Any], told: str) -> dict[str, Any]:
    backend = visit.backend
    write_settings(backend.settings.home, choice)
    backend.open(replace(backend.settings, **choice))
    words = [told or visit.say("model.set", name=visit.model)]
    if over := overruling(choice):
        words.append(visit.say("model.overruled", variable=over[0]))
    return shown(visit.draw("model_button.html"), status=join_sentences(words))

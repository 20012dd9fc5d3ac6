"""The panel of companions: a gallery, and making, editing, taking in and out."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import asdict
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from siliconfriend.characters.card_files import redraw_picture
from siliconfriend.characters.cards import LONGEST_ENTRY, export_card
from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import companion_name
from siliconfriend.characters.entries import add_entries, all_entries
from siliconfriend.errors import UsageError
from siliconfriend.memory.changes import Erase
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.output import clean
from siliconfriend.person.companions import (
    SAMPLE_COMPANION,
    create_companion,
    import_companion_file,
)

from .backend import PARAMETER, PICTURE, Backend, Visit
from .components import Event, button, field, file_field, opener, sheet, shown
from .words import plain, quiet

EXPORT = "/companions/export"
PICTURE_HEADERS = {
    # What a person uploads is a picture and nothing else, whatever its bytes say.
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=86400",
}
LINES = {"called": 1, "persona": 8, "speaking_style": 3, "greeting": 3, "others": 3}
"""The texts of a character, and how many lines their fields have."""


def view(visit: Visit, event: Event) -> dict[str, Any]:
    """Show the gallery, or the companion that the address names; do what a button or a form says."""
    name = event.get("open", "")
    if event["event"] == "select":
        return show(visit, name)
    return act(visit, event, name)


def card_view(visit: Visit, event: Event) -> dict[str, Any]:
    """Show the dialog that takes in a card or a picture, of the companion that ``id`` names if any."""
    _may_edit(visit)
    name, is_picture = event["id"], event["act"] == "picture"
    if event["event"] != "submit":
        kinds = "image/*" if is_picture else ".png,.json,.charx"
        body = file_field(visit.say("companions.file"), kinds, event["act"])
        key = "labels.picture" if is_picture else "labels.card"
        return shown(sheet=sheet(visit, event["act"], name, visit.say(key), body, no="cancel"))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / PurePath(event.get("file_name") or "file").name
        file.write_bytes(event.get("file") or b"")
        if is_picture:
            visit.backend.companions.replace_picture(name, redraw_picture(file.read_bytes()))
            return shown("", status=visit.say("companions.saved"))
        return shown("", status=take_in(visit, file, name))


def show(visit: Visit, name: str, told: str = "") -> dict[str, Any]:
    """Show a companion, or without a name the gallery, and tell a sentence."""
    is_open = name and _is_editor(visit) and visit.backend.companions.exists(name)
    return shown(_editor(visit, name) if is_open else _gallery(visit), status=told)


def act(visit: Visit, event: Event, name: str) -> dict[str, Any]:
    """Do what a button or a form says; deleting opens a dialog."""
    verb, identifier, fields = event["act"], event["id"], event.get("fields", {})
    _may_edit(visit)
    if verb in ("delete", "delete-entry") and "fields" not in event:
        return shown(sheet=_delete_sheet(visit, verb, identifier))
    companions = visit.backend.companions
    if verb in ("edit", "new", "bring"):
        typed = fields.get("name", "") if verb == "new" else identifier
        character = Character(clean_name(typed))
        create_companion(visit.backend.bank, character, is_sample=verb == "bring")
        return shown(goto="#/companions" if verb == "bring" else _editor_address(character.name))
    if verb == "delete":
        companions.delete(identifier)
        told = visit.say("companions.deleted", name=identifier)
        return shown(_gallery(visit), status=told, goto="#/companions")
    if verb == "delete-entry":
        timezone, now = visit.backend.settings.timezone, visit.person.now()
        with companions.edit_lore(name, timezone, now) as edit:
            edit.add(Erase((identifier,)))
        return show(visit, name, visit.say("companions.entry_deleted"))
    if verb == "texts":
        given = {key: fields.get(key, "").strip() for key in LINES}
        given["other_greetings"] = given.pop("others").split("\n\n")
        companions.edit(name, lambda character: character.with_texts(visit.language, given))
    else:
        _add_entry(visit, name, clean(fields.get("text", "")).strip())
    return show(visit, name, visit.say("companions.saved"))


def _editor_address(name: str) -> str:
    return f"#/companions?open={quote(name)}"


def take_in(visit: Visit, file: Path, name: str) -> str:
    """Take in a card, a lorebook or a file of lore; return a sentence about what it brought.

    It goes to the companion of a name, or without one to a new one of the name that the file says.
    """
    done = import_companion_file(visit.backend.bank, file, name=name or None, is_new=not name)
    told = visit.say("companions.imported", name=done.name, entries=done.facts + done.events)
    if done.ignored:
        told += " " + visit.say("companions.ignored", names=", ".join(done.ignored))
    return told


def _is_editor(visit: Visit) -> bool:
    named = (visit.backend.settings.companion_editors or "").split(",")
    return not visit.backend.log_in or visit.scope.person in {editor.strip() for editor in named}


def _may_edit(visit: Visit) -> None:
    if not _is_editor(visit):
        raise UsageError("companion_not_yours")


def _add_entry(visit: Visit, name: str, words: str) -> None:
    if not words:
        raise UsageError("lore_empty")
    if len(words) > LONGEST_ENTRY:
        raise UsageError("lore_long", longest=LONGEST_ENTRY)
    timezone, now = visit.backend.settings.timezone, visit.person.now()
    with visit.backend.companions.edit_lore(name, timezone, now) as edit:
        edit.add(*add_entries(edit.memory, [FactDraft(words)], now=now, made_by="person"))


def _gallery(visit: Visit) -> str:
    backend, companions = visit.backend, visit.backend.companions
    first = backend.settings.companion
    names = [first, *(name for name in companions.names() if name != first)]
    cards = "".join(_card(visit, name) for name in names)
    faults = "".join(quiet(fault.message(visit.language)) for fault in companions.faults())
    is_editor = _is_editor(visit)
    about = quiet(visit.say("companions.about" if is_editor else "companions.only_operator"))
    gallery = f'{about}{faults}<ul class="sf-gallery">{cards}</ul>'
    if not is_editor:
        return gallery
    sample = visit.say("companions.bring", name=SAMPLE_COMPANION)
    bring = "" if SAMPLE_COMPANION in names else button(sample, "bring", SAMPLE_COMPANION)
    hint = visit.say("companions.new_hint")
    name = field("name", visit.say("companions.new_name"), hint=hint, more="required")
    return (
        f"{gallery}<div class='sf-acts'>{bring}{opener(visit.say('labels.card'), 'card')}</div>"
        f"<details data-part='new'><summary>{visit.html('companions.new')}</summary>"
        f'<form data-act="new">{name}<button class="sf-button">'
        f"{visit.html('companions.create')}</button></form></details>"
    )


def _card(visit: Visit, name: str) -> str:
    called = companion_name(visit.backend.settings, name, visit.language)
    greeting = visit.written_greeting(name) or visit.say("companions.undescribed")
    if name == visit.scope.companion:
        is_current, acts = " aria-current=true", ""
        current = f'<p class="sf-meta">{visit.html("companions.current")}</p>'
    else:
        is_current = current = ""
        link = plain(f"./?{urlencode({PARAMETER: name})}#/chat")
        talk = visit.html("companions.talk", name=called)
        acts = f'<a class="sf-button sf-primary" href="{link}">{talk}</a>'
    if _is_editor(visit):
        label = visit.say("companions.edit", name=called)
        if visit.backend.companions.exists(name):
            acts += f'<a class="sf-button" href="{_editor_address(name)}">{plain(label)}</a>'
        else:
            acts += button(label, "edit", name)
    return (
        f'<li class="sf-companion"{is_current}>{_portrait(visit, name)}<div>'
        f"<h2>{plain(called)}</h2>{current}<blockquote>{plain(greeting)}</blockquote>"
        f'<div class="sf-acts">{acts}</div></div></li>'
    )


def _portrait(visit: Visit, name: str) -> str:
    return f'<img class="sf-picture" src="{plain(visit.backend.picture_address(name))}" alt="">'


def _editor(visit: Visit, name: str) -> str:
    companions = visit.backend.companions
    character, lore = companions.character(name), companions.lore(name)
    called = companion_name(visit.backend.settings, name, visit.language)
    texts = character.texts_in(visit.language)
    values, fields = {**asdict(texts), "others": "\n\n".join(texts.other_greetings)}, ""
    for key, lines in LINES.items():
        hint = visit.say(f"companions.{key}_hint", person="{person}")
        fields += field(key, visit.say(f"companions.{key}"), values[key], lines=lines, hint=hint)
    entries = "".join(
        f'<li data-memory="{entry.id}"><div><p>{plain(entry.text)}</p></div>'
        f"{button(visit.say('verbs.erase'), 'delete-entry', entry.id, 'sf-link')}</li>"
        for entry in (all_entries(lore) if lore else ())
    )
    entry = field("text", visit.say("companions.entry_text"), lines=3, more="required")
    files = "".join(
        f'<a class="sf-button" download href=".{EXPORT}?'
        f'{plain(urlencode({"name": name, "form": form}))}">'
        f"{visit.html(f'companions.export_{form}')}</a>"
        for form in ("json", *(["picture"] if companions.card(name)[1] else ()))
    )
    delete = visit.say("companions.delete", name=called)
    files += opener(visit.say("labels.card"), "card", name)
    files += opener(visit.say("labels.picture"), "card", name, act="picture")
    files += button(delete, "delete", name, "sf-button sf-danger")
    return (
        f'<p><a href="#/companions">{visit.html("companions.back")}</a></p>'
        f'<div class="sf-companion">{_portrait(visit, name)}<div><h2>{plain(called)}</h2>'
        f"{quiet(visit.say('companions.written_in'))}</div></div>"
        f'<form data-act="texts">{fields}<div class="sf-acts">'
        f'<button class="sf-button sf-primary">{visit.html("companions.save")}</button></div></form>'
        f"<h2>{visit.html('companions.lore')}</h2>{quiet(visit.say('companions.lore_about'))}"
        f'<ul class="sf-lines">{entries}</ul><form data-act="entry">{entry}<div class="sf-acts">'
        f'<button class="sf-button">{visit.html("companions.entry_new")}</button></div></form>'
        f'<h2>{visit.html("companions.files")}</h2><div class="sf-acts">{files}</div>'
    )


def _delete_sheet(visit: Visit, verb: str, identifier: str) -> str:
    is_entry = verb == "delete-entry"
    key = "companions.delete_entry_title" if is_entry else "companions.delete_title"
    body = "" if is_entry else quiet(visit.say("companions.delete_about"))
    return sheet(visit, verb, identifier, visit.say(key, name=identifier), body, "sure")


def _pattern(name: str) -> str:
    """Return a picture whose colours and tiles come from a name alone."""
    digest = hashlib.sha256(name.encode()).digest()
    hue = digest[0] * 360 // 256
    tiles = "".join(
        f'<rect x="{x * 16}" y="{y * 16}" width="16" height="16"/>'
        for y in range(5)
        for x in range(5)
        if digest[1 + y * 3 + min(x, 4 - x)] & 1  # the right half mirrors the left
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 96 96"><rect x="-8" y="-8" width="96" '
        f'height="96" fill="hsl({hue} 45% 88%)"/><g fill="hsl({hue} 45% 38%)">{tiles}</g></svg>'
    )


def companion_routes(backend: Backend) -> list[BaseRoute]:
    """Return the routes of pictures and of cards that are taken along."""

    def picture(request: Request) -> Response:
        name = clean_name(request.query_params.get("name", ""))
        path = backend.companions.card(name)[1] if backend.companions.exists(name) else None
        if path is None:
            return Response(_pattern(name), media_type="image/svg+xml", headers=PICTURE_HEADERS)
        return FileResponse(path, media_type="image/png", headers=PICTURE_HEADERS)

    def export(request: Request) -> Response:
        visit = backend.visit(request)
        _may_edit(visit)
        name = clean_name(request.query_params.get("name", ""))
        is_picture = request.query_params.get("form") == "picture"
        kind, suffix = ("image/png", "png") if is_picture else ("application/json", "json")
        now, language = visit.person.now(), visit.language
        data = export_card(
            backend.companions, name, language=language, now=now, in_picture=is_picture
        )
        where = f"attachment; filename*=UTF-8''{quote(name, safe='')}.{suffix}"
        return Response(data, media_type=kind, headers={"content-disposition": where})

    return [Route(PICTURE, picture), Route(EXPORT, export)]

"""The companions panel: a gallery, and creating, editing, importing and exporting."""

import hashlib
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi.routing import APIRoute
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute

from siliconfriend.characters.card_files import redraw_picture
from siliconfriend.characters.cards import LONGEST_ENTRY, export_card
from siliconfriend.characters.character import Character
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

from .backend import PICTURE, Backend, Visit
from .components import ViewEvent, shown, uploaded
from .rendering import render

EXPORT = "/companions/export"
PICTURE_HEADERS = {
    # Browsers must treat an upload as a picture, whatever its bytes say.
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=86400",
}
LINES = {"called": 1, "persona": 8, "speaking_style": 3, "greeting": 3, "others": 3}
"""The texts of a character, and how many lines their fields have."""


def view(visit: Visit, event: ViewEvent) -> dict[str, Any]:
    """Show the gallery, or the companion that the address names; do what a button or a form says."""
    name = event.get("open", "")
    if event["event"] == "select":
        return show(visit, name)
    return act(visit, event, name)


def card_view(visit: Visit, event: ViewEvent) -> dict[str, Any]:
    """Show the dialog that imports a card or a picture, for the companion in ``id`` if given."""
    _may_edit(visit)
    name, is_picture = event["id"], event["act"] == "picture"
    if event["event"] != "submit":
        return shown(sheet=visit.draw("file.html", act=event["act"], id=name))
    with uploaded(event) as (file, *_):
        if is_picture:
            visit.backend.companions.replace_picture(name, redraw_picture(file.read_bytes()))
            return shown("", status=visit.say("companions.saved"))
        return shown("", status=take_in(visit, file, name))


def show(visit: Visit, name: str, told: str = "") -> dict[str, Any]:
    """Show a companion, or without a name the gallery, and tell a sentence."""
    is_open = name and _is_editor(visit) and visit.backend.companions.exists(name)
    return shown(_editor(visit, name) if is_open else _gallery(visit), status=told)


def act(visit: Visit, event: ViewEvent, name: str) -> dict[str, Any]:
    """Do what a button or a form says; deleting opens a dialog."""
    verb, identifier, fields = event["act"], event["id"], event.get("fields", {})
    _may_edit(visit)
    if verb in ("delete", "delete-entry") and "fields" not in event:
        return shown(sheet=visit.draw("delete.html", act=verb, id=identifier))
    companions = visit.backend.companions
    if verb in ("edit", "new", "bring"):
        typed = fields.get("name", "") if verb == "new" else identifier
        character = Character(clean_name(typed))
        create_companion(visit.backend.bank, character, is_sample=verb == "bring")
        return show(visit, "") if verb == "bring" else shown(goto=_editor_address(character.name))
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


def _gallery(visit: Visit) -> Markup:
    is_editor = _is_editor(visit)
    return visit.draw(
        "companions.html", is_editor=is_editor, sample=SAMPLE_COMPANION, editor=_editor_address
    )


def _editor(visit: Visit, name: str) -> Markup:
    companions = visit.backend.companions
    texts, lore = companions.character(name).texts_in(visit.language), companions.lore(name)
    entries = all_entries(lore) if lore else ()
    given = {"name": name, "fields": LINES, "texts": texts, "entries": entries, "path": EXPORT}
    return visit.draw("companion.html", **given)


def _pattern(name: str) -> str:
    """Return an SVG pattern computed from a name."""
    digest = hashlib.sha256(name.encode()).digest()
    places = product(range(5), range(5))
    # The right half mirrors the left.
    tiles = [(x, y) for y, x in places if digest[1 + y * 3 + min(x, 4 - x)] & 1]
    return render("pattern.svg", hue=digest[0] * 360 // 256, tiles=tiles)


def companion_routes(backend: Backend) -> list[BaseRoute]:
    """Return the routes of pictures and of cards that are taken along."""

    def picture(name: str) -> Response:
        name = clean_name(name)
        path = backend.companions.card(name)[1] if backend.companions.exists(name) else None
        if path is None:
            return Response(_pattern(name), media_type="image/svg+xml", headers=PICTURE_HEADERS)
        return FileResponse(path, media_type="image/png", headers=PICTURE_HEADERS)

    def export(request: Request, name: str, form: str = "json") -> Response:
        visit, name, is_picture = backend.visit(request), clean_name(name), form == "picture"
        _may_edit(visit)
        kind, suffix = ("image/png", "png") if is_picture else ("application/json", "json")
        now, language = visit.person.now(), visit.language
        data = export_card(
            backend.companions, name, language=language, now=now, in_picture=is_picture
        )
        where = f"attachment; filename*=UTF-8''{quote(name, safe='')}.{suffix}"
        return Response(data, media_type=kind, headers={"content-disposition": where})

    return [APIRoute(PICTURE, picture), APIRoute(EXPORT, export)]

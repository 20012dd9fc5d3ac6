"""The panel of companions: a gallery, and making, editing, taking in and out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
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
from .carrying import uploaded
from .components import LABELS, button, field, fills, gr, make_view, sheet, shown
from .words import plain, quiet

EXPORT = "/companions/export"
PICTURE_HEADERS = {
    # What a person uploads is a picture and nothing else, whatever its bytes say.
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=86400",
}
LINES = {"called": 1, "persona": 8, "speaking_style": 3, "greeting": 3, "others": 3}
"""The texts of a character, and how many lines their fields have."""
Shown = tuple[dict[str, Any], str]  # by the view, and the name of the open companion


def lay_out(backend: Backend) -> None:
    """Put the panel into the column that is open."""
    view = make_view("companions", elem_id="companions")
    with gr.Row():
        cards = [".png", ".json", ".charx"]
        upload = gr.UploadButton(LABELS("card"), file_types=cards, elem_id="companion-import")
        picture = gr.UploadButton(
            LABELS("picture"), file_types=["image"], visible=False, elem_id="companion-picture"
        )
    opened, none = gr.State(""), gr.State()

    def listen(events: list[Any], handle: Callable[..., Shown], given: Any = none) -> None:
        def call(visit: Visit, event: object, file: str | None, name: str) -> Any:
            with uploaded(file) if file else nullcontext(event) as asked:
                value, opened_now = handle(visit, asked, name)
            if opened_now != name:
                value["goto"] = "companions"
            return value, opened_now, gr.update(visible=bool(opened_now))

        fills(backend, [view, opened, picture], events, call, [given, opened])

    listen([view.select], show)
    listen([view.click, view.submit], act)
    listen([upload.upload], take_in, upload)
    listen([picture.upload], _put_picture, picture)


def show(visit: Visit, _event: object, name: str, told: str = "") -> Shown:
    """Show the companion that is open, or the gallery, and tell a sentence."""
    html = _editor(visit, name) if name else _gallery(visit)
    return shown(html, status=told), name


def act(visit: Visit, event: dict[str, Any], name: str) -> Shown:
    """Do what a button or a form says; deleting opens a dialog."""
    verb, identifier, fields = event["act"], event["id"], event.get("fields", {})
    if verb == "back":
        return show(visit, {}, "")
    _may_edit(visit)
    if verb in ("delete", "delete-entry") and "fields" not in event:
        return shown(sheet=_delete_sheet(visit, verb, identifier)), name
    companions, told = visit.backend.companions, ""
    if verb == "bring":
        _create(visit, identifier, is_sample=True)
    elif verb == "edit":
        name = identifier
        if not companions.exists(name):
            _create(visit, name)
    elif verb == "delete":
        companions.delete(identifier)
        told, name = visit.say("companions.deleted", name=identifier), ""
    elif verb == "delete-entry":
        timezone, now = visit.backend.settings.timezone, visit.person.now()
        with companions.edit_lore(name, timezone, now) as edit:
            edit.add(Erase((identifier,)))
        told = visit.say("companions.entry_deleted")
    else:
        told = visit.say("companions.saved")
        if verb == "new":
            name = _create(visit, fields.get("name", ""))
        elif verb == "texts":
            given = {key: fields.get(key, "").strip() for key in LINES}
            given["other_greetings"] = given.pop("others").split("\n\n")
            companions.edit(name, lambda it: it.with_texts(visit.language, given))
        elif verb == "entry":
            _add_entry(visit, name, clean(fields.get("text", "")).strip())
    return show(visit, {}, name, told)


def take_in(visit: Visit, file: Path, name: str) -> Shown:
    """Take in a card, a lorebook or a file of lore.

    It goes to the companion that is open if one is, else to a new one of the name it says.
    """
    _may_edit(visit)
    done = import_companion_file(visit.backend.bank, file, name=name or None, is_new=not name)
    told = visit.say("companions.imported", name=done.name, entries=done.facts + done.events)
    if done.ignored:
        told += " " + visit.say("companions.ignored", names=", ".join(done.ignored))
    return show(visit, {}, name, told)


def _put_picture(visit: Visit, file: Path, name: str) -> Shown:
    _may_edit(visit)
    visit.backend.companions.replace_picture(name, redraw_picture(file.read_bytes()))
    return show(visit, {}, name)


def _is_editor(visit: Visit) -> bool:
    named = (visit.backend.settings.companion_editors or "").split(",")
    return not visit.backend.log_in or visit.scope.person in {it.strip() for it in named}


def _may_edit(visit: Visit) -> None:
    if not _is_editor(visit):
        raise UsageError("companion_not_yours")


def _create(visit: Visit, typed: str, *, is_sample: bool = False) -> str:
    character = Character(clean_name(typed))
    create_companion(visit.backend.bank, character, is_sample=is_sample)
    return character.name


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
    names = [first, *(it for it in companions.names() if it != first)]
    cards = "".join(_card(visit, name) for name in names)
    faults = "".join(quiet(it.message(visit.language)) for it in companions.faults())
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
        f"{gallery}<div class='sf-acts'>{bring}</div>"
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
        acts += button(visit.say("companions.edit", name=called), "edit", name)
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
    files += button(delete, "delete", name, "sf-button sf-danger")
    return (
        f"{button(visit.say('companions.back'), 'back')}"
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


def companion_routes(backend: Backend) -> list[BaseRoute]:
    """Return the routes of pictures and of cards that are taken along."""

    def picture(request: Request) -> Response:
        path = backend.companions.card(clean_name(request.query_params.get("name", "")))[1]
        if path is None:
            return Response(status_code=404)
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

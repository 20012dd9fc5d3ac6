"""The panel of companions: a gallery, and making, editing, taking in and out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from siliconfriend.characters.cards.exporting import export_card
from siliconfriend.characters.cards.files import redraw_picture
from siliconfriend.characters.character import Character, fill_macros
from siliconfriend.characters.companions import companion_name
from siliconfriend.characters.entries import BookKeys, Entry, all_entries, entry_draft
from siliconfriend.errors import SiliconFriendError, StoreError
from siliconfriend.memory.changes import Erase
from siliconfriend.memory.scope import clean_name
from siliconfriend.person.sample_people import SAMPLE_COMPANION
from siliconfriend.texts import LANGUAGES

from .backend import PARAMETER, Backend, Visit
from .carrying import take_upload
from .companion_edits import (
    LINES,
    create,
    defaults,
    find_entry,
    import_file,
    is_editor,
    keys_of,
    may_edit,
    write_entry,
    write_texts,
)
from .components import LABELS, PRIVATE, gr, make_view, shown
from .forms import button, chooser, field, sheet, tick
from .static import address
from .words import LANGUAGE_NAMES, LOCALES, plain, quiet

PREFIX = "/companions/"
PICTURE_HEADERS = {
    # What a person uploads is a picture and nothing else, whatever its bytes say.
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=86400",
}
Shown = tuple[dict[str, Any], str]
"""What the view shows, and the name of the companion that is open."""


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

    def listen(listener: Any, handle: Callable[..., Shown], given: Any = none) -> None:
        def call(file: str | None, name: str, event: gr.EventData, request: gr.Request) -> Any:
            told = event._data if isinstance(event._data, dict) else {}
            try:
                visit = backend.visit(request)
                asked = told if file is None else {"data": take_upload(file)}
                value, name = handle(visit, asked, name)
            except SiliconFriendError as error:
                value = shown(status=error.message(backend.language_of(request)))
            return value, name, gr.update(visible=bool(name))

        listener(call, [given, opened], [view, opened, picture], **PRIVATE)

    listen(view.select, show)
    listen(view.click, act)
    listen(view.submit, submit)
    listen(upload.upload, take_in, upload)
    listen(picture.upload, put_picture, picture)


def show(visit: Visit, _event: dict[str, Any], name: str) -> Shown:
    """Show the companion that is open, or the gallery."""
    return shown(_editor(visit, name) if name else _gallery(visit)), name


def act(visit: Visit, event: dict[str, Any], name: str) -> Shown:
    """Do what a button says."""
    verb, identifier = event["act"], event["id"]
    if verb == "back":
        return show(visit, {}, "")
    may_edit(visit)
    if verb == "new":
        return shown(sheet=_name_sheet(visit)), name
    if verb in ("delete", "delete-entry"):
        return shown(sheet=_delete_sheet(visit, verb, identifier)), name
    if verb == "entry":
        return shown(sheet=_entry_sheet(visit, name, identifier)), name
    if verb == "bring":
        create(visit, identifier, is_sample=True)
    elif verb == "remove-picture":
        visit.backend.companions.replace_picture(name, None)
    elif verb == "edit":
        name = identifier
        if not visit.backend.companions.exists(name):
            create(visit, name)
    return show(visit, {}, name)


def submit(visit: Visit, event: dict[str, Any], name: str) -> Shown:
    """Take what was written into a form."""
    may_edit(visit)
    verb, identifier, fields = event["act"], event["id"], event["fields"]
    told = visit.say("companions.saved")
    if verb == "new":
        name = create(visit, fields.get("name", ""))
    elif verb == "texts":
        write_texts(visit, name, fields)
    elif verb == "entry":
        write_entry(visit, name, identifier, fields)
    elif verb == "delete":
        visit.backend.companions.delete(identifier)
        told, name = visit.say("companions.deleted", name=identifier), ""
    elif verb == "delete-entry":
        with visit.backend.companions.edit_lore(name, defaults(visit)) as edit:
            find_entry(edit.memory, name, identifier)
            edit.add(Erase((identifier,)))
        told = visit.say("companions.entry_deleted")
    return _told(visit, name, told)


def take_in(visit: Visit, event: dict[str, Any], name: str) -> Shown:
    """Take in a card, a lorebook or a file of lore, for the companion that is open if one is."""
    may_edit(visit)
    done = import_file(visit, event["data"], name)
    told = [visit.say("companions.imported", name=done.name, entries=done.facts + done.events)]
    if done.ignored:
        told.append(visit.say("companions.ignored", names=", ".join(done.ignored)))
    return _told(visit, name, " ".join(told))


def put_picture(visit: Visit, event: dict[str, Any], name: str) -> Shown:
    """Draw an uploaded picture anew and keep it."""
    may_edit(visit)
    visit.backend.companions.replace_picture(name, redraw_picture(event["data"]))
    return show(visit, {}, name)


def _told(visit: Visit, name: str, words: str) -> Shown:
    value, name = show(visit, {}, name)
    return {**value, "status": words}, name


def _gallery(visit: Visit) -> str:
    """Return whom one can talk with, the server's own companion first."""
    backend, companions = visit.backend, visit.backend.companions
    first = backend.settings.companion
    names = [first, *(it for it in companions.names() if it != first)]
    cards = "".join(_card(visit, name) for name in names)
    faults = "".join(quiet(it.message(visit.language)) for it in companions.faults())
    acts = ""
    if is_editor(visit):
        acts = button(visit.say("companions.new"), "new")
        if SAMPLE_COMPANION not in names:
            sample = visit.say("companions.bring", name=SAMPLE_COMPANION)
            acts += button(sample, "bring", SAMPLE_COMPANION)
    about = visit.say("companions.about" if acts else "companions.only_operator")
    return f'{quiet(about)}{faults}<ul class="sf-gallery">{cards}</ul><div class="sf-acts">{acts}</div>'


def _card(visit: Visit, name: str) -> str:
    backend = visit.backend
    is_described = backend.companions.exists(name)
    try:
        character = backend.companions.character(name) if is_described else Character(name)
    except StoreError:
        return ""
    called = companion_name(backend.settings, name, visit.language)
    person = visit.scope.person
    greeting = character.texts_in(visit.language).greeting.replace("{person}", person)
    greeting = fill_macros(greeting, companion=called, language=visit.language, person=person)
    greeting = greeting or visit.say("companions.undescribed")
    is_current = name == visit.scope.companion
    link = f"./?{urlencode({PARAMETER: name})}#/chat"
    talk = plain(visit.say("companions.talk", name=called))
    acts = "" if is_current else f'<a class="sf-button sf-primary" href="{plain(link)}">{talk}</a>'
    if is_editor(visit):
        acts += button(visit.say("companions.edit", name=called), "edit", name)
    current = (
        f'<p class="sf-meta">{plain(visit.say("companions.current"))}</p>' if is_current else ""
    )
    return (
        f'<li class="sf-companion"{" aria-current=true" if is_current else ""}>{_portrait(visit, name)}'
        f"<div><h2>{plain(called)}</h2>{current}<blockquote>{plain(greeting)}</blockquote>"
        f'<div class="sf-acts">{acts}</div></div></li>'
    )


def picture_address(backend: Backend, name: str) -> str:
    """Return the address of a companion's picture; the lantern where it has none."""
    with suppress(SiliconFriendError):
        if path := backend.companions.card(name)[1]:
            version = path.stat().st_mtime_ns
            return f".{PREFIX}picture?{urlencode({'name': name, 'version': version})}"
    return address("avatar.svg")


def _portrait(visit: Visit, name: str) -> str:
    source = plain(picture_address(visit.backend, name))
    return f'<img class="sf-picture" src="{source}" alt="">'


def _editor(visit: Visit, name: str) -> str:
    """Return a companion opened to be edited: character in two languages, story, files."""
    companions = visit.backend.companions
    character, lore = companions.character(name), companions.lore(name)
    has_picture = companions.card(name)[1]
    called = companion_name(visit.backend.settings, name, visit.language)
    parts = ""
    for language in sorted(LANGUAGES, key=lambda it: it != visit.language):
        texts = character.texts_in(language)
        written = {key: getattr(texts, key) for key in LINES if key != "others"}
        written["others"] = "\n\n".join(texts.other_greetings)
        fields = "".join(
            field(
                f"{language}.{key}",
                visit.say(f"companions.{key}"),
                written[key],
                lines=lines,
                hint=""
                if key == "called"
                else visit.say(f"companions.{key}_hint", person="{person}"),
                more=f'lang="{LOCALES[language]}"',
            )
            for key, lines in LINES.items()
        )
        is_open = " open" if language == visit.language else ""
        summary = plain(visit.say("companions.written_in", language=LANGUAGE_NAMES[language]))
        parts += f"<details{is_open} data-part='{language}'><summary>{summary}</summary>{fields}</details>"
    entries = "".join(_entry(visit, it) for it in (all_entries(lore) if lore else ()))
    export = "".join(
        f'<a class="sf-button" download href=".{PREFIX}export?{plain(urlencode({"name": name, "form": form}))}">'
        f"{plain(visit.say(f'companions.export_{form}'))}</a>"
        for form in ("json", *(("picture",) if has_picture else ()))
    )
    remove = button(visit.say("companions.picture_remove"), "remove-picture") if has_picture else ""
    return (
        f"{button(visit.say('companions.back'), 'back')}"
        f'<div class="sf-companion">{_portrait(visit, name)}<h2>{plain(called)}</h2>{remove}</div>'
        f'<form data-act="texts">{parts}<div class="sf-acts">'
        f'<button class="sf-button sf-primary">{plain(visit.say("companions.save"))}</button></div></form>'
        f"<h2>{plain(visit.say('companions.lore'))}</h2>{quiet(visit.say('companions.lore_about'))}"
        f'<ul class="sf-lines">{entries}</ul><div class="sf-acts">'
        f"{button(visit.say('companions.entry_new'), 'entry')}</div>"
        f'<h2>{plain(visit.say("companions.files"))}</h2><div class="sf-acts">{export}'
        f"{button(visit.say('companions.delete', name=called), 'delete', name, 'sf-button sf-danger')}</div>"
    )


def _entry(visit: Visit, entry: Entry) -> str:
    keys = BookKeys.of(entry)
    told = [visit.say("companions.always")] if keys is not None and keys.is_constant else []
    told += keys_of(entry.extra)
    edit = button(visit.say("verbs.edit"), "entry", entry.id, "sf-link")
    delete = button(visit.say("verbs.erase"), "delete-entry", entry.id, "sf-link")
    return (
        f'<li data-memory="{entry.id}"><div><p>{plain(entry.text)}</p>'
        f'<p class="sf-meta">{plain(" · ".join(told))}</p></div><div>{edit}{delete}</div></li>'
    )


def _name_sheet(visit: Visit) -> str:
    hint = visit.say("companions.new_hint")
    body = field("name", visit.say("companions.new_name"), hint=hint, more="required")
    title, yes = visit.say("companions.new"), visit.say("companions.create")
    return sheet("new", "", title, body, visit.say("cancel"), yes)


def _delete_sheet(visit: Visit, verb: str, identifier: str) -> str:
    if verb == "delete":
        title = visit.say("companions.delete_title", name=identifier)
        body = quiet(visit.say("companions.delete_about"))
    else:
        title, body = visit.say("companions.delete_entry_title"), ""
    return sheet(verb, identifier, title, body, visit.say("keep"), visit.say("sure"), "sf-danger")


def _entry_sheet(visit: Visit, name: str, identifier: str) -> str:
    lore = visit.backend.companions.lore(name)
    entry = find_entry(lore, name, identifier) if identifier else None
    keys = None if entry is None else BookKeys.of(entry)
    told_in = "" if entry is None else entry_draft(entry).language or ""
    languages = [(it, LANGUAGE_NAMES[it]) for it in LANGUAGES]
    body = (
        field("text", visit.say("companions.entry_text"), entry.text if entry else "", lines=4)
        + field(
            "keys",
            visit.say("companions.keys"),
            ", ".join(keys_of(entry.extra)) if entry else "",
            hint=visit.say("companions.keys_hint"),
        )
        + tick(
            "constant", plain(visit.say("companions.always")), on=bool(keys and keys.is_constant)
        )
        + chooser(
            "language",
            visit.say("companions.told_in"),
            [("", visit.say("companions.both")), *languages],
            told_in,
        )
    )
    title = visit.say("companions.entry_edit" if identifier else "companions.entry_new")
    return sheet("entry", identifier, title, body, visit.say("cancel"), visit.say("save"))


def companion_routes(backend: Backend) -> list[BaseRoute]:
    """Return the routes of pictures and of cards that are taken along."""

    def picture(request: Request) -> Response:
        name = clean_name(request.query_params.get("name", ""))
        path = backend.companions.card(name)[1]
        if path is None:
            return Response(status_code=404)
        return FileResponse(path, media_type="image/png", headers=PICTURE_HEADERS)

    def export(request: Request) -> Response:
        visit = backend.visit(request)
        may_edit(visit)
        name = clean_name(request.query_params.get("name", ""))
        is_picture = request.query_params.get("form") == "picture"
        data = export_card(
            backend.companions,
            name,
            language=visit.language,
            now=defaults(visit).now,
            in_picture=is_picture,
        )
        suffix = "png" if is_picture else "json"
        where = f"attachment; filename*=UTF-8''{quote(name, safe='')}.{suffix}"
        kind = "image/png" if is_picture else "application/json"
        return Response(data, media_type=kind, headers={"content-disposition": where})

    routes = {"picture": picture, "export": export}
    return [Route(PREFIX + name, answer, methods=["GET"]) for name, answer in routes.items()]

"""The addresses at which the page reads and changes companions, under ``/companions/``.

Companions belong to everybody who uses a data directory. Where people log in, none of them may
change what the others talk with: every change asks :meth:`CompanionRoutes._may_edit` first.
Whoever may open the page may choose a companion and see its picture.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import quote

from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from siliconfriend.clock import Clock
from siliconfriend.config import Settings
from siliconfriend.errors import RefusedName, SiliconFriendError, UsageError
from siliconfriend.lore.companions import Companions
from siliconfriend.memory.scope import clean_name
from siliconfriend.texts import LANGUAGES, Language, area, text

from ..access.log_in import LogIn
from .edits import CharacterForm, CompanionEdits, EntryForm, NameForm
from .views import CompanionViews, entry_json, import_json

PREFIX = "/companions/"
PICTURE_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}
PICTURE_HEADERS = {
    # What a person uploads is a picture and nothing else, whatever its bytes say.
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "private, max-age=86400",
}
STATUS = {
    "companion_unknown": HTTPStatus.NOT_FOUND,
    "lore_unknown": HTTPStatus.NOT_FOUND,
    "companion_exists": HTTPStatus.CONFLICT,
    "companion_not_yours": HTTPStatus.FORBIDDEN,
}
"""The HTTP status of some errors; all others are bad requests."""

Endpoint = Callable[[Request], Awaitable[Response]]
Form = TypeVar("Form", bound=BaseModel)


class CompanionRoutes:
    """Answers the panel of companions.

    Args:
        settings, clock: of the page.
        log_in: None where nobody logs in.
    """

    def __init__(self, settings: Settings, clock: Clock, log_in: LogIn | None) -> None:
        self._settings, self._log_in = settings, log_in
        self._companions = Companions(settings.home)
        self._views = CompanionViews(self._companions, settings)
        self._edits = CompanionEdits(self._companions, settings, clock)

    def routes(self) -> list[BaseRoute]:
        """All of them, to stand before the page's own."""
        reading: dict[str, Callable[[Request, Language], Response]] = {
            "all": self._all,
            "picture": self._picture,
        }
        editing: dict[tuple[str, str], Callable[[Request, Language, bytes], Response]] = {
            ("GET", "one"): self._one,
            ("POST", "one"): self._create,
            ("PUT", "one"): self._write,
            ("DELETE", "one"): self._delete,
            ("PUT", "picture"): self._put_picture,
            ("DELETE", "picture"): self._remove_picture,
            ("POST", "entry"): self._add_entry,
            ("PUT", "entry"): self._edit_entry,
            ("DELETE", "entry"): self._delete_entry,
            ("POST", "import"): self._import,
            ("GET", "export"): self._export,
        }
        read = [
            Route(PREFIX + name, self._reading(handle), methods=["GET"])
            for name, handle in reading.items()
        ]
        edit = [
            Route(PREFIX + name, self._editing(handle), methods=[method])
            for (method, name), handle in editing.items()
        ]
        return [*read, *edit]

    def _may_edit(self, request: Request) -> bool:
        """True where nobody logs in, and for those whom the operator named."""
        named = (self._settings.companion_editors or "").split(",")
        return self._log_in is None or self._log_in.user(request) in {it.strip() for it in named}

    def _reading(self, handle: Callable[[Request, Language], Response]) -> Endpoint:
        async def answer(request: Request) -> Response:
            language = self._language(request)
            try:
                return await run_in_threadpool(handle, request, language)
            except SiliconFriendError as error:
                return _refusal(error, language)

        return answer

    def _editing(self, handle: Callable[[Request, Language, bytes], Response]) -> Endpoint:
        async def answer(request: Request) -> Response:
            language = self._language(request)
            try:
                if not self._may_edit(request):
                    raise UsageError("companion_not_yours")
                body = await request.body()
                return await run_in_threadpool(handle, request, language, body)
            except SiliconFriendError as error:
                return _refusal(error, language)

        return answer

    def _language(self, request: Request) -> Language:
        asked = request.query_params.get("language")
        return asked if asked in LANGUAGES else self._settings.language

    def _all(self, request: Request, language: Language) -> Response:
        current = request.query_params.get("companion") or self._settings.companion
        person = request.query_params.get("person", "")
        if self._log_in is not None:
            person = self._log_in.user(request) or ""
        listed = self._views.all(current, person, language)
        return JSONResponse({**listed, "may_edit": self._may_edit(request)})

    def _picture(self, request: Request, _language: Language) -> Response:
        _, path = self._companions.card(_name(request))
        if path is None:
            return Response(status_code=HTTPStatus.NOT_FOUND)
        return FileResponse(path, media_type=PICTURE_TYPES[path.suffix], headers=PICTURE_HEADERS)

    def _one(self, request: Request, _language: Language, _body: bytes) -> Response:
        return JSONResponse(self._views.one(_name(request)))

    def _create(self, _request: Request, _language: Language, body: bytes) -> Response:
        return JSONResponse({"name": self._edits.create(_read(NameForm, body))})

    def _write(self, request: Request, _language: Language, body: bytes) -> Response:
        self._edits.write_texts(_name(request), _read(CharacterForm, body))
        return JSONResponse(self._views.one(_name(request)))

    def _delete(self, request: Request, _language: Language, _body: bytes) -> Response:
        self._edits.delete(_name(request))
        return JSONResponse({})

    def _put_picture(self, request: Request, _language: Language, body: bytes) -> Response:
        self._edits.put_picture(_name(request), body)
        return JSONResponse(self._views.one(_name(request)))

    def _remove_picture(self, request: Request, _language: Language, _body: bytes) -> Response:
        self._edits.remove_picture(_name(request))
        return JSONResponse(self._views.one(_name(request)))

    def _add_entry(self, request: Request, _language: Language, body: bytes) -> Response:
        added = self._edits.add_entry(_name(request), _read(EntryForm, body))
        return JSONResponse({"entry": None if added is None else entry_json(added)})

    def _edit_entry(self, request: Request, _language: Language, body: bytes) -> Response:
        form = _read(EntryForm, body)
        edited = self._edits.edit_entry(_name(request), _identifier(request), form)
        return JSONResponse({"entry": entry_json(edited)})

    def _delete_entry(self, request: Request, _language: Language, _body: bytes) -> Response:
        self._edits.delete_entry(_name(request), _identifier(request))
        return JSONResponse({})

    def _import(self, request: Request, language: Language, body: bytes) -> Response:
        name = request.query_params.get("name", "").strip()
        into_known = request.query_params.get("known") == "yes"
        done = self._edits.import_file(body, name, into_known=into_known)
        return JSONResponse(import_json(done, language))

    def _export(self, request: Request, language: Language, _body: bytes) -> Response:
        name = _name(request)
        in_its_picture = request.query_params.get("form") == "picture"
        data = self._edits.export(name, language, in_its_picture=in_its_picture)
        kind, suffix = ("image/png", "png") if in_its_picture else ("application/json", "json")
        disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}.{suffix}"
        return Response(data, media_type=kind, headers={"content-disposition": disposition})


def _name(request: Request) -> str:
    return clean_name(request.query_params.get("name", ""))


def _identifier(request: Request) -> str:
    return request.query_params.get("id", "")


def _read(form: type[Form], body: bytes) -> Form:
    """What the page sent, as its form.

    Raises:
        UsageError: it is not what the page sends.
    """
    try:
        return form.model_validate_json(body)
    except ValidationError as error:
        raise UsageError("companion_wrong_form") from error


def _refusal(error: SiliconFriendError, language: Language) -> Response:
    """The error as the page says it: in its own words where the usual ones name commands."""
    own = area("web_companions", language)["errors"]
    known = error.key in own and not isinstance(error, RefusedName)
    words = (
        text("web_companions", f"errors.{error.key}", language, **error.details)
        if known
        else error.message(language)
    )
    status = STATUS.get(error.key, HTTPStatus.BAD_REQUEST)
    details = {"name": str(error.details["name"])} if error.key == "companion_exists" else {}
    return JSONResponse({"error": words, "key": error.key, **details}, status)

"""Who uses this browser: by name and password, or by name alone where nobody logs in.

One form for both, in the browser's language. The answer is a cookie: of a session where there are
passwords, else the name itself. A page is drawn for one person; another one begins at this form.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlencode

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from siliconfriend.errors import SiliconFriendError
from siliconfriend.installation.accounts import Authenticator
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from .backend import PARAMETER, Backend
from .static import address, template
from .words import LANGUAGE_COOKIE, LANGUAGE_NAMES, LOCALES, plain, say

PATHS = frozenset(("/login", "/login/"))
NAME_COOKIE = "sf-name"
YEAR = 365 * 24 * 3600
LONGEST_FORM = 8 * 2**10
LONGEST_PLACE = 1000
MOST_KNOWN = 8
CHECKED_AT_ONCE = 2
"""Passwords checked at the same time: each takes a fifth of a second of a processor."""


class LogIn:
    """Answers the form, and knows whose a request is.

    Args:
        backend: of the page.
        passwords: checks passwords; None where a name is enough.
    """

    def __init__(self, backend: Backend, passwords: Authenticator | None) -> None:
        self._backend, self._passwords = backend, passwords
        if passwords is not None:
            self._sessions = backend.installation.sessions
            self._limits = backend.installation.login_limits
        self._checking = CapacityLimiter(CHECKED_AT_ONCE)

    @property
    def has_passwords(self) -> bool:
        """True if people log in."""
        return self._passwords is not None

    async def user(self, connection: HTTPConnection) -> str | None:
        """Return whose request it is; None of somebody who has not begun.

        Raises:
            SiliconFriendError: the sessions cannot be looked up.
        """
        token = connection.cookies.get(self._cookie, "")
        if not token:
            return None
        if self._passwords is not None:
            hash_of = self._passwords.hash_of
            return await run_sync(self._sessions.user, token, hash_of)
        try:
            return Scope.of(unquote(token)).person
        except SiliconFriendError:
            return None

    async def answer(self, request: Request, user: str | None) -> Response:
        """Answer the form's address and ``/logout``."""
        path, place = request.url.path, own_place(request.query_params.get("place", ""))
        try:
            if path == "/logout":
                return await self._log_out(user)
            if request.method == "POST":
                return await self._take(request)
            return self._form(request, place if path in PATHS else asked_place(request))
        except SiliconFriendError as error:
            words = error.message(self._backend.language_of(request))
            return self._form(request, place, 503, refused=words)

    @property
    def _cookie(self) -> str:
        return f"sf-session-{self._sessions.cookie_id}" if self.has_passwords else NAME_COOKIE

    @property
    def _usual(self) -> str:
        return self._backend.settings.companion

    async def _log_out(self, user: str | None) -> Response:
        if user is not None and self.has_passwords:
            await run_sync(self._sessions.close_all, user)
        response = RedirectResponse("./login", 303)
        response.delete_cookie(self._cookie)
        return response

    async def _take(self, request: Request) -> Response:
        typed, language = await _read_form(request), self._backend.language_of(request)
        place = own_place(typed.get("place", ""))
        name = (typed.get("known") or typed.get("username", "")).strip()
        if self._passwords is None:
            return await run_sync(self._begin, request, place, name, typed.get("sure", ""))
        caller = request.client.host if request.client else ""
        if wait := await run_sync(self._limits.take, name, caller):
            words = say("log_in.locked", language, seconds=ceil(wait))
            response = self._form(request, place, 429, name, words)
            response.headers["Retry-After"] = str(ceil(wait))
            return response
        check, password = self._passwords.authenticate, typed.get("password", "")
        if not await run_sync(check, name, password, limiter=self._checking):
            return self._form(request, place, 400, name, say("log_in.wrong", language))
        await run_sync(self._limits.forgive, name, caller)
        kept = self._passwords.hash_of(name) or ""
        return self._let_in(request, place, await run_sync(self._sessions.open, name, kept))

    def _begin(self, request: Request, place: str, typed: str, sure: str) -> Response:
        try:
            query = parse_qs(place.partition("#")[0].removeprefix("?"))
            companion = query.get(PARAMETER, [self._usual])[0]
            name, meant = self._backend.meet(typed, self._backend.check_companion(companion))
        except SiliconFriendError as error:
            words = error.message(self._backend.language_of(request))
            return self._form(request, place, 400, typed, words)
        if meant and sure != name:
            return self._form(request, place, 200, name, meant=meant)
        return self._let_in(request, place, quote(name), YEAR)

    def _let_in(self, request: Request, place: str, token: str, age: int | None = None) -> Response:
        response = RedirectResponse(f"./{place}", 303)
        is_https = request.url.scheme == "https"
        how: dict[str, Any] = {"httponly": True, "samesite": "lax", "secure": is_https}
        response.set_cookie(self._cookie, token, max_age=age, **how)
        return response

    def _form(
        self,
        request: Request,
        place: str,
        status: int = 200,
        name: str = "",
        refused: str = "",
        meant: Sequence[str] = (),
    ) -> Response:
        language, has_passwords = self._backend.language_of(request), self.has_passwords
        known = [] if has_passwords or name else self._backend.people(self._usual)[:MOST_KNOWN]
        name = name or ("" if known or has_passwords else self._backend.settings.user or "")
        other: Language = "en" if language == "cn" else "cn"
        query = {"language": other, **({"place": place} if place else {})}
        kind = "log_in" if has_passwords else "begin"
        page = template(
            "log_in.html",
            **{key: plain(say(f"{kind}.{key}", language)) for key in ("about", "name", "submit")},
            title=plain(say(f"{kind}.title", language, companion="SiliconFriend")),
            tokens=address("tokens.css"),
            style=address("style.css"),
            avatar=address("avatar.svg"),
            lang=LOCALES[language],
            other=plain(urlencode(query)),
            other_lang=LOCALES[other],
            switch=LANGUAGE_NAMES[other],
            place=plain(place),
            refused=plain(refused),
            typed=plain(name),
            known=_people(known, say("begin.known", language)),
            meant=_meant(name, meant, language),
            password=plain(say("log_in.password", language)),
            hidden="" if has_passwords else "disabled hidden",
            focus_name="" if meant or (name and has_passwords) else "autofocus",
            focus_password="autofocus" if name and has_passwords else "",
        )
        return HTMLResponse(page, status, {"Cache-Control": "no-store"})


def keep_language(response: Response, language: Language) -> Response:
    """Let the browser keep a language that was chosen."""
    response.set_cookie(LANGUAGE_COOKIE, language, max_age=YEAR, samesite="lax")
    return response


def asked_place(connection: HTTPConnection) -> str:
    """Return the query that somebody asked for, without the language; ``?...`` or nothing."""
    items = connection.query_params.multi_items()
    query = [(key, value) for key, value in items if key != "language"]
    return own_place(f"?{urlencode(query)}" if query else "")


def own_place(place: str) -> str:
    """Return a query, a fragment or both; nothing of anything else, which may lead elsewhere."""
    is_own = len(place) <= LONGEST_PLACE and place.isprintable() and place[:1] in ("?", "#")
    return place if is_own else ""


async def _read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form; none where it is too long or no form."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_FORM:
                return {}
    except ClientDisconnect:
        return {}
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
    return {name: values[-1] for name, values in fields.items()}


def _people(names: Sequence[str], title: str) -> str:
    buttons = "".join(
        f'<button name="known" value="{plain(name)}" formnovalidate>{plain(name)}</button>'
        for name in names
    )
    return f'<p>{plain(title)}</p><div class="known">{buttons}</div>' if names else ""


def _meant(name: str, meant: Sequence[str], language: Language) -> str:
    new = plain(say("begin.new", language, name=name))
    button = f'<button name="sure" value="{plain(name)}">{new}</button>'
    people = _people(meant, say("begin.meant", language))
    return f'<div role="alert">{people}{button}</div>' if meant else ""

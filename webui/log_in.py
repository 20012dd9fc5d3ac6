"""Log in by name and password, or by name alone without log-in.

One form for both, in the browser's language. The answer is a cookie: of a session where there are
passwords, else the name itself. A page is drawn for one person; another one begins at this form.
"""

from collections.abc import Sequence
from math import ceil
from typing import Any
from urllib.parse import quote, unquote

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from siliconfriend.characters.companions import companion_name
from siliconfriend.errors import SiliconFriendError
from siliconfriend.installation.accounts import Passwords
from siliconfriend.memory.scope import Scope

from .backend import Backend
from .rendering import render
from .words import page_values, say

PATHS = ("/", "/login")
NAME_COOKIE = "sf-name"
YEAR = 365 * 24 * 3600
MOST_KNOWN = 8
CHECKED_AT_ONCE = 2
"""Passwords checked at the same time: each takes a fifth of a second of a processor."""


class LogIn:
    """Handles the log-in form and identifies requests; without ``passwords`` a name suffices."""

    def __init__(self, backend: Backend, passwords: Passwords | None) -> None:
        self._backend, self._passwords = backend, passwords
        self.has_passwords = passwords is not None
        self._checking, self._cookie = CapacityLimiter(CHECKED_AT_ONCE), NAME_COOKIE
        if passwords is not None:
            self._sessions = backend.installation.sessions
            self._limits = backend.installation.limits
            self._cookie = f"sf-session-{self._sessions.cookie_id}"

    async def user(self, connection: HTTPConnection) -> str | None:
        """Return the person of a request; None before log-in.

        Raises:
            SiliconFriendError: the sessions cannot be looked up.
        """
        token = connection.cookies.get(self._cookie, "")
        if not token:
            return None
        if self._passwords is not None:
            return await run_sync(self._sessions.user, token, self._passwords.hash_of)
        try:
            return Scope.of(unquote(token)).person
        except SiliconFriendError:
            return None

    async def answer(self, request: Request, user: str | None) -> Response:
        """Answer the form's addresses and ``/logout``."""
        if request.url.path == "/logout":
            return await self._log_out(request, user)
        return await self._take(request) if request.method == "POST" else self._form(request)

    async def _log_out(self, request: Request, user: str | None) -> Response:
        response = RedirectResponse("./", 303)
        if request.method == "POST":  # a link from another site can send a GET with the cookie
            async with request.form() as form:
                endpoint = str(form.get("endpoint") or "")
            if user is not None and endpoint:  # no notices after log-out
                remove = self._backend.installation.subscriptions.remove
                await run_sync(remove, user, endpoint)
            if user is not None and self.has_passwords:
                await run_sync(self._sessions.close_all, user)
            response.delete_cookie(self._cookie)
        return response

    async def _take(self, request: Request) -> Response:
        async with request.form() as form:
            typed = {field: str(value) for field, value in form.items()}
        name = next(
            (typed[field] for field in ("known", "sure", "username") if field in typed), ""
        ).strip()
        if self._passwords is None:
            return await run_sync(self._begin, request, name, typed.get("sure", ""))
        caller = request.client.host if request.client else ""
        language = self._backend.language_of(request)
        if wait := await run_sync(self._limits.take_login, name, caller):
            words = say("log_in.locked", language, seconds=ceil(wait))
            response = self._form(request, 429, name, words)
            response.headers["Retry-After"] = str(ceil(wait))
            return response
        check, password = self._passwords.authenticate, typed.get("password", "")
        if not await run_sync(check, name, password, limiter=self._checking):
            return self._form(request, 400, name, say("log_in.wrong", language))
        await run_sync(self._limits.forgive_login, name, caller)
        kept = self._passwords.hash_of(name) or ""
        return self._let_in(request, await run_sync(self._sessions.open, name, kept))

    def _begin(self, request: Request, typed: str, sure: str) -> Response:
        try:
            bank, scope = self._backend.bank, self._backend.scope_of(request, typed)
            bank.person(scope.person, scope.companion).check_name()
            name, meant = scope.person, bank.near(scope.person)
        except SiliconFriendError as error:
            refused = error.message(self._backend.language_of(request))
            return self._form(request, 400, typed, refused)
        if meant and sure != name:
            return self._form(request, 200, name, meant=meant)
        return self._let_in(request, quote(name), YEAR)

    def _let_in(self, request: Request, token: str, age: int | None = None) -> Response:
        response = RedirectResponse(f"./?{request.url.query}", 303)
        is_https = request.url.scheme == "https"
        how: dict[str, Any] = {"httponly": True, "samesite": "lax", "secure": is_https}
        response.set_cookie(self._cookie, token, max_age=age, **how)
        return response

    def _form(
        self,
        request: Request,
        status: int = 200,
        name: str = "",
        refused: str = "",
        meant: Sequence[str] = (),
    ) -> Response:
        language, has_passwords = self._backend.language_of(request), self.has_passwords
        settings, known = self._backend.settings, list[str]()
        if not has_passwords and not name:
            met = self._backend.bank.people()
            known = [who.person for who in met if who.companion == settings.companion][:MOST_KNOWN]
            name = "" if known else settings.user or ""
        choices = [("known", name, name) for name in meant or known]
        if meant:
            choices.append(("sure", name, say("begin.new", language, name=name)))
        page = render(
            "log_in.html",
            **page_values(request, language),
            say=lambda key, **values: say(key, language, **values),
            kind="log_in" if has_passwords else "begin",
            companion=companion_name(settings, settings.companion, language),
            refused=refused,
            typed=name,
            choices=choices,
            meant=meant,
            focus="" if meant else "password" if name and has_passwords else "name",
        )
        return HTMLResponse(page, status)

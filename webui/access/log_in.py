"""Logging in to the page: the form, its answer, and the sessions that it opens.

Gradio's own form speaks the browser's language alone, says nothing when too many tries are
refused, and its sessions have no end. What is refused here opens no session of Gradio's.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from math import ceil
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode

import anyio
import anyio.to_thread
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from siliconfriend.errors import SiliconFriendError
from siliconfriend.passwords import Authenticator
from siliconfriend.shared.login_limits import LoginLimits, LoginLimitsHere
from siliconfriend.shared.sessions import SessionFile, Sessions
from siliconfriend.texts import Language

from ..look.static_files import address
from ..words.labels import LANGUAGE_NAMES, say
from .chosen_language import chosen_language, keep_language
from .return_place import PLACE, asked_place, own_place

Found = TypeVar("Found")

LONGEST_FORM = 8 * 2**10
"""Bytes of a form with a name and a password."""
CHECKED_AT_ONCE = 2
"""Passwords that are checked at the same time, beside the work of the page."""
LOOKED_UP_AT_ONCE = 8
"""Sessions that are looked up at the same time, beside the work of the page."""
MET = "siliconfriend.logged_in"
"""Where a request carries who is logged in, once that was looked up."""
SHEETS = ("look/tokens.css", "access/log_in.css")


class LogIn:
    """Answers the form, and knows who is logged in.

    Args:
        guard: checks passwords.
        language: of the form where the browser asks for none.
        sessions: of those who have logged in; they end with the program unless given.
        limits: count tries; those of this process unless given.
    """

    def __init__(
        self,
        guard: Authenticator,
        language: Language,
        sessions: Sessions | None = None,
        limits: LoginLimits | None = None,
    ) -> None:
        self._guard, self._language = guard, language
        self._limits = limits or LoginLimitsHere()
        self._checking = anyio.CapacityLimiter(CHECKED_AT_ONCE)
        self._looking = anyio.CapacityLimiter(LOOKED_UP_AT_ONCE)
        self._sessions = sessions or SessionFile()
        self._met: set[str] = set()

    async def meet(self, connection: HTTPConnection) -> None:
        """Look up who is logged in, once for a request, where it keeps no other waiting."""
        if MET not in connection.scope:
            token = self._token(connection)
            user = await self._aside(self._find, token)
            connection.scope[MET] = self._noted(connection, token, user)

    def user(self, connection: HTTPConnection) -> str | None:
        """Return who is logged in; a session ends when it is idle or its password is changed."""
        if MET in connection.scope:
            found: str | None = connection.scope[MET]
            return found
        token = self._token(connection)
        return self._noted(connection, token, self._find(token))

    def _token(self, connection: HTTPConnection) -> str:
        app = self._adopt(connection.app)
        token = connection.cookies.get(_cookie_name(app), "")
        if token in self._met and token not in app.tokens:
            self._sessions.close(token)  # logged out, by Gradio's own button
        return token

    def _find(self, token: str) -> str | None:
        return self._sessions.user(token, self._guard.hash_of) if token else None

    def _noted(self, connection: HTTPConnection, token: str, user: str | None) -> str | None:
        """Tell Gradio whose a session is, as it was found; returns it."""
        app = connection.app
        if user is None:
            app.tokens.pop(token, None)
            self._met.discard(token)
            return None
        self._met.add(token)
        app.tokens[token] = user
        return user

    def log_out(self, connection: HTTPConnection) -> None:
        """End all sessions of whoever asks, as Gradio does, in the file too."""
        user = self.user(connection)
        if user is not None:
            self._sessions.close_all(user)
            connection.scope.pop(MET, None)

    async def answer(self, request: Request) -> Response:
        """Show the form, or take what was typed into it; the browser keeps the language chosen."""
        language = chosen_language(request, self._language)
        try:
            response = await self._answer(request, language)
        except SiliconFriendError as error:  # passwords or tries cannot be looked up
            response = _form(language, 503, error.message(language))
        if request.query_params.get("language") == language:
            keep_language(response, language)
        return response

    async def _answer(self, request: Request, language: Language) -> Response:
        if request.method != "POST":
            return _form(language, 200, asked_place(request))
        typed = await _read_form(request)
        name, password = typed.get("username", "").strip(), typed.get("password", "")
        place = own_place(typed.get(PLACE, ""))
        caller = request.client.host if request.client else ""
        if wait := await self._aside(self._limits.take, name, caller):
            locked = say("log_in.locked", language, seconds=ceil(wait))
            return _form(language, 429, place, locked, name, {"Retry-After": str(ceil(wait))})
        if not await anyio.to_thread.run_sync(
            self._guard.authenticate, name, password, limiter=self._checking
        ):
            return _form(language, 400, place, say("log_in.wrong", language), name)
        await self._aside(self._limits.forgive, name, caller)
        return self._let_in(request, name, await self._aside(self._open, name), place)

    async def _aside(self, look: Callable[..., Found], *given: str) -> Found:
        """Look something up in a thread, where it keeps no other waiting."""
        return await anyio.to_thread.run_sync(look, *given, limiter=self._looking)

    def _open(self, user: str) -> str:
        return self._sessions.open(user, self._guard.hash_of(user) or "")

    def _let_in(self, request: Request, user: str, token: str, place: str) -> Response:
        self._met.add(token)
        self._adopt(request.app).tokens[token] = user
        response = RedirectResponse(f"./{place}", 303)
        is_secure = request.url.scheme == "https"
        response.set_cookie(
            _cookie_name(request.app), token, httponly=True, samesite="lax", secure=is_secure
        )
        return response

    def _adopt(self, app: Any) -> Any:
        """Let Gradio look for the cookie of these sessions, also of those opened before a start."""
        app.cookie_id = self._sessions.cookie_id
        return app


def _cookie_name(app: Any) -> str:
    """Return the cookie in which Gradio looks for a session, on http and https alike."""
    return f"access-token-unsecure-{app.cookie_id}"


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
    return {name: values[0] for name, values in fields.items()}


def _form(
    language: Language,
    status: int,
    place: str,
    refused: str = "",
    name: str = "",
    headers: dict[str, str] | None = None,
) -> HTMLResponse:
    other: Language = "en" if language == "cn" else "cn"
    words = {
        key: escape(say(f"log_in.{key}", language))
        for key in ("title", "about", "name", "password", "submit")
    }
    page = _PAGE.format(
        **words,
        sheets="".join(f'<link rel="stylesheet" href="{address(it)}">' for it in SHEETS),
        avatar=address("look/avatar.svg"),
        lang="zh-CN" if language == "cn" else "en",
        language=language,
        other=escape(urlencode({"language": other, **({PLACE: place} if place else {})})),
        place_name=PLACE,
        place=escape(place),
        other_lang="zh-CN" if other == "cn" else "en",
        switch=LANGUAGE_NAMES[other],
        refused=f'<p class="refused" role="alert">{escape(refused)}</p>' if refused else "",
        typed=escape(name),
        carry=_CARRY,
        focus_name="" if name else "autofocus",
        focus_password="autofocus" if name else "",
    )
    return HTMLResponse(page, status, {"Cache-Control": "no-store", **(headers or {})})


_CARRY = """<script>
// The panel's address stands behind a #, which no browser sends by itself.
const place = document.querySelector("input[type=hidden]");
document.querySelector("form").addEventListener("submit", () => {
  if (location.hash) place.value = place.value.replace(/#.*/, "") + location.hash;
});
for (const it of document.querySelectorAll("a[hreflang]")) it.hash = location.hash;
</script>"""

_PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
{sheets}
</head>
<body class="log-in">
<main>
<img src="{avatar}" alt="" width="72" height="72">
<h1>{title}</h1>
<p>{about}</p>
{refused}
<form method="post" action="login?language={language}">
<input type="hidden" name="{place_name}" value="{place}">
<label for="username">{name}</label>
<input id="username" name="username" value="{typed}" autocomplete="username"
  autocapitalize="none" spellcheck="false" required {focus_name}>
<label for="password">{password}</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  required {focus_password}>
<button type="submit">{submit}</button>
</form>
<a href="login?{other}" hreflang="{other_lang}" lang="{other_lang}">{switch}</a>
</main>
{carry}
</body>
</html>
"""

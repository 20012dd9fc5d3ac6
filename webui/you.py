"""The dialog of the person: who they are here, notices, their password, and the way out."""

from math import ceil
from typing import Annotated, Any

from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.routing import BaseRoute

from siliconfriend.errors import UsageError
from siliconfriend.installation.accounts import MIN_PASSWORD

from .backend import Backend, Visit
from .components import ViewEvent, shown


def view(visit: Visit, event: ViewEvent) -> dict[str, Any]:
    """Show the dialog, or change the password that was typed twice."""
    passwords = visit.backend.passwords
    if event["event"] != "submit":
        sheet = visit.draw("you.html", has_passwords=passwords is not None, shortest=MIN_PASSWORD)
        return shown(sheet=sheet)
    if passwords is None:
        return shown("")
    fields, name = event["fields"], visit.scope.person
    new = fields.get("new", "")
    if wait := visit.backend.installation.limits.take_login(name, f"change {name}"):
        return shown(status=visit.say("log_in.locked", seconds=ceil(wait)))
    if not passwords.authenticate(name, fields.get("password", "")):
        raise UsageError("password_wrong")
    if len(new) < MIN_PASSWORD or new != fields.get("again", ""):
        raise UsageError("password_typed", shortest=MIN_PASSWORD)
    passwords.set(name, new)
    return shown("", status=visit.say("you.changed"), goto="./")


class Browser(BaseModel):
    """Subscription of a browser, as it serializes itself, in a page drawn for ``person``."""

    person: str
    endpoint: Annotated[str, Field(max_length=2000)]
    keys: dict[str, Annotated[str, Field(max_length=200)]] = {}


def notice_routes(backend: Backend) -> list[BaseRoute]:
    """Return the routes that add and remove the subscription of a browser."""

    def add(request: Request, asked: Browser) -> dict[str, Any]:
        scope = backend.visit(request, asked.person).scope
        if backend.notices is None:
            raise UsageError("push_endpoint")
        keys = (asked.keys.get(name, "") for name in ("p256dh", "auth"))
        backend.notices.subscribe(scope, asked.endpoint, *keys)
        return {}

    def remove(request: Request, asked: Browser) -> dict[str, Any]:
        person = backend.visit(request, asked.person).scope.person
        backend.installation.subscriptions.remove(person, asked.endpoint)
        return {}

    found = {"POST": add, "DELETE": remove}
    return [APIRoute("/notices", answer, methods=[verb]) for verb, answer in found.items()]

"""The dialog of the person: who they are here, their password, and the way out."""

from __future__ import annotations

from math import ceil
from typing import Any

from siliconfriend.errors import UsageError

from .backend import Visit
from .components import Event, field, sheet, shown
from .words import quiet

SHORTEST_PASSWORD = 8


def view(visit: Visit, event: Event) -> dict[str, Any]:
    """Show the dialog, or change the password that was typed twice."""
    if event["event"] != "submit":
        return shown(sheet=_sheet(visit))
    passwords = visit.backend.passwords
    if passwords is None:
        return shown("")
    fields, name = event["fields"], visit.scope.person
    new = fields.get("new", "")
    if wait := visit.backend.installation.limits.take_login(name, "change"):
        return shown(status=visit.say("log_in.locked", seconds=ceil(wait)))
    if not passwords.authenticate(name, fields.get("password", "")):
        raise UsageError("password_wrong")
    if len(new) < SHORTEST_PASSWORD or new != fields.get("again", ""):
        raise UsageError("password_typed", shortest=SHORTEST_PASSWORD)
    passwords.set(name, new)
    return shown("", status=visit.say("you.changed"), goto="./")


def _sheet(visit: Visit) -> str:
    has_passwords = visit.backend.passwords is not None
    fields = ""
    if has_passwords:
        current, new = 'type="password" autocomplete="current-password" required', ""
        new = 'type="password" autocomplete="new-password" required'
        fields = field("password", visit.say("you.password"), more=current)
        hint = visit.say("you.new_hint", shortest=SHORTEST_PASSWORD)
        fields += field("new", visit.say("you.new"), hint=hint, more=new)
        fields += field("again", visit.say("you.again"), more=new)
    key = "you.log_out" if has_passwords else "you.other"
    leave = (
        '<button class="sf-button" id="sf-leave" formmethod="post" formaction="./logout" formnovalidate>'
        f"{visit.html(key)}</button>"
    )
    about = quiet(visit.say("you.about_log_in" if has_passwords else "you.about"))
    body = f'{about}<div class="sf-acts sf-leave">{leave}</div>{fields}'
    yes = "you.change" if has_passwords else ""
    return sheet(visit, "password", "", visit.scope.person, body, yes)

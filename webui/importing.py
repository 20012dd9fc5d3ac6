"""Import of files after a preview, and export of the memory.

A dialog keeps the files in the browser and sends them with each answer; the server keeps no copy.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi.routing import APIRoute
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from siliconfriend.errors import SiliconFriendError, Undecided
from siliconfriend.importers.lines import to_date
from siliconfriend.importers.messages import Options, visible
from siliconfriend.texts import Counted, text

from .backend import Backend, Visit
from .components import ViewEvent, shown, uploaded
from .words import error_words

KINDS = ".zip,.json,.jsonl,.txt,.html,.htm,.csv"
ANSWERS = ("me", "other", "date_order", "day")
"""The fields of :class:`Options` that a question of the dialog fills."""


def view(visit: Visit, event: ViewEvent) -> dict[str, Any] | Iterator[dict[str, Any]]:
    """Show the import dialog: file, open questions, preview, result."""
    if event["event"] != "submit":
        return shown(sheet=_sheet(visit, {}))
    fields = event["fields"]
    if event["act"] == "bring":
        return _bring(visit, event)
    try:
        found = read(visit, event)
        return shown(sheet=_sheet(visit, fields, preview=_preview(visit, found)))
    except Undecided as asked:
        return shown(sheet=_sheet(visit, fields, question=_question(visit, asked)))
    except SiliconFriendError as error:
        return shown(sheet=_sheet(visit, {}), status=error_words(error, visit.language))


def read(visit: Visit, event: ViewEvent, *, dry_run: bool = True) -> dict[str, Any]:
    """Read the files, and without ``dry_run`` import them; return the document of ``import --json``.

    Raises:
        Undecided: something that the fields of the event do not say yet.
        UnreadableFile: a file has no known format, or holds nothing of the person.
    """
    scope, bank = visit.scope, visit.backend.bank
    given = {key: answer for key in ANSWERS if (answer := event["fields"].get(key, "").strip())}
    options = Options(scope.person, zone=visit.zone, **given)
    how = (options, scope.companion, visit.language, dry_run)
    with uploaded(event) as paths:
        return bank.import_files(paths, *how).to_json()


def _bring(visit: Visit, event: ViewEvent) -> Iterator[dict[str, Any]]:
    yield shown(status=visit.say("import.bringing"))
    found = read(visit, event, dry_run=False)
    visit.talk.changed()
    yield shown("", status=visit.say("imported", turns=_turns(found)))


def _sheet(visit: Visit, fields: Mapping[str, str], **shows: Any) -> Markup:
    """Return the dialog: the file, then ``question`` or ``preview``; earlier answers stay."""
    given = {"question": None, "preview": None, "kinds": KINDS, **shows}
    given["answered"] = {key: fields[key] for key in ANSWERS if fields.get(key)}
    return visit.draw("import.html", **given)


def _question(visit: Visit, asked: Undecided) -> dict[str, Any]:
    """Return an open question, with choices if there are any.

    An order of dates is shown by an example: "3/4/2021 is 3 April 2021".
    """
    name, options = asked.option.replace("-", "_"), [(one, visible(one)) for one in asked.choices]
    if name == "date_order":
        example = str(asked.details["example"])
        numbers: Any = tuple(map(int, example.split("/")))
        days: Any = [(order, visit.day(to_date(numbers, order))) for order in asked.choices]  # type: ignore[arg-type]
        options = [
            (order, visit.say("import.reading", example=example, day=day)) for order, day in days
        ]
    return {"name": name, "options": options}


def _turns(found: Mapping[str, Any]) -> Counted:
    return Counted(found["turns"] + _sum(found, "grown"), "turn")


def _sum(found: Mapping[str, Any], count: str) -> int:
    return sum(each.get(count, 0) for each in found["people"])


def _preview(visit: Visit, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an import would bring, and what it would leave out."""
    speakers = [
        (visible(pair["person"]), visible(pair["companion"])) for pair in found.get("speakers", ())
    ]
    # Somebody else in the file may have the person's name.
    who = speakers[0] if len(speakers) == 1 and all(speakers[0]) else ("", "")
    is_by_name = who[0].casefold() == visit.scope.person.casefold()
    dates = sorted({day for each in found["people"] for day in each["dates"]})
    left = {**found.get("left_out", {}), "keys": found.get("keys_left_out", 0)}
    left |= {key: _sum(found, key) for key in ("skipped", "kept_erased")}
    return {
        "turns": _turns(found),
        "ends": [visit.day(day) for day in (*dates[:1], *dates[-1:])],
        "speakers": speakers,
        "either": [(name, name) for name in who] if is_by_name else [],
        "left": [(count, _reason(visit, key)) for key, count in left.items() if count],
    }


def _reason(visit: Visit, key: str) -> str:
    if key in ("keys", "skipped", "kept_erased"):
        return visit.say(f"import.{key}")
    return text("importers", f"skipped.{key}", visit.language)


def export_route(backend: Backend) -> BaseRoute:
    """Return the route that downloads the memory; no copy stays on the server."""

    def export(request: Request, form: str = "bank") -> Response:
        told = backend.visit(request).person.export(native=form == "native")
        kind = "attachment; filename=siliconfriend.json"
        return JSONResponse(told, headers={"content-disposition": kind})

    return APIRoute("/export", export)

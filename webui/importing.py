"""Import of a file after a preview, and export of the memory.

A dialog keeps the file in the browser and sends it with each answer; the server keeps no copy.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as field_of
from datetime import date
from pathlib import Path, PurePath
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from siliconfriend.errors import SiliconFriendError, Undecided
from siliconfriend.importers.lines import to_date
from siliconfriend.importers.messages import Options, visible
from siliconfriend.memory.import_export import ImportReport
from siliconfriend.recall.time_words import label_day
from siliconfriend.texts import text

from .backend import PARAMETER, Backend, Visit, steps_of
from .components import Event, choices, field, file_field, opener, progress, sheet, shown
from .words import plain, quiet

KINDS = ".zip,.json,.jsonl,.txt,.html,.htm,.csv"
ANSWERS = ("me", "other", "date_order", "day")
"""The fields of :class:`Options` that a question of the dialog fills."""


@dataclass(frozen=True)
class FileContents:
    """Contents of a file: turns, days, speakers, and what is left out."""

    turns: int
    dates: list[str]
    speakers: tuple[tuple[str, str], ...] = ()
    left_out: Mapping[str, int] = field_of(default_factory=dict)


def view(visit: Visit, event: Event) -> dict[str, Any] | Iterator[dict[str, Any]]:
    """Show the import dialog: file, open questions, preview, result."""
    if event["event"] != "submit":
        return shown(sheet=_sheet(visit, ""))
    fields = event["fields"]
    with_file = (event.get("file_name") or "file", event.get("file") or b"")
    if event["act"] == "bring":
        return _bring(visit, *with_file, fields)
    try:
        return shown(sheet=_preview(visit, read(visit, *with_file, fields), fields))
    except Undecided as asked:
        return shown(sheet=_question(visit, asked, fields))
    except SiliconFriendError as error:
        return shown(sheet=_sheet(visit, ""), status=error.message(visit.language))


def read(
    visit: Visit, name: str, data: bytes, fields: Mapping[str, str], *, dry_run: bool = True
) -> FileContents:
    """Read a file, and without ``dry_run`` import it.

    Raises:
        Undecided: something that ``fields`` does not say yet.
        UnreadableFile: it is no file of a known format, or holds nothing of the person.
    """
    scope, given = (
        visit.scope,
        {key: answer for key in ANSWERS if (answer := fields.get(key, "").strip())},
    )
    options = Options(scope.person, zone=visit.zone, **given)  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (visible(PurePath(name).name.lstrip(".")) or "file")
        path.write_bytes(data)
        how: dict[str, Any] = {"dry_run": dry_run}
        try:
            done = visit.backend.bank.import_file(
                path, options, scope.companion, visit.language, **how
            )
        except SiliconFriendError as error:
            if "path" in error.details:
                error.details["path"] = path.name
            raise
    if isinstance(done, ImportReport):
        return FileContents(done.turns, sorted(done.people[0].dates))
    past, taken = done.past, done.taken
    return FileContents(
        taken.added + taken.grown, sorted(taken.dates), past.speakers, past.left_out
    )


def _bring(
    visit: Visit, name: str, data: bytes, fields: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    def work(_tell: Callable[..., None]) -> FileContents:
        return read(visit, name, data, fields, dry_run=False)

    yield shown(status=visit.say("import.bringing"))
    found = yield from steps_of(work, progress)
    visit.talk.changed()
    yield shown("", status=visit.say("imported", turns=found.turns))


def _sheet(visit: Visit, body: str, *, is_ready: bool = False) -> str:
    file = file_field(visit.say("import.file"), KINDS, "look")
    about = "" if body else quiet(visit.say("import.about"))
    act, yes = ("bring", "import_now") if is_ready else ("look", "import.go_on" if body else "")
    return sheet(visit, act, "", visit.say("import.title"), about + file + body, yes, "cancel")


def _question(visit: Visit, asked: Undecided, fields: Mapping[str, str]) -> str:
    """Return the dialog with the open question; earlier answers stay."""
    name = asked.option.replace("-", "_")
    options = [(choice, visible(choice)) for choice in asked.choices]
    if name == "date_order":
        options = [
            (each, _reading(visit, each, str(asked.details["example"]))) for each in asked.choices
        ]
    if options:
        body = choices(name, visit.say(f"import.{name}"), options, more="required")
    else:
        body = field(name, visit.say(f"import.{name}"), more='type="date" required')
    return _sheet(visit, _answered(fields) + body)


def _reading(visit: Visit, order: Any, example: str) -> str:
    """Return an example of how dates are read in an order: "3/4/2021 is 3 April 2021"."""
    numbers = tuple(map(int, example.split("/")))
    try:
        day = to_date(numbers, order)  # type: ignore[arg-type]
    except ValueError:
        return visit.say(f"import.orders.{order}")
    return visit.say("import.reading", example=example, day=_dated(visit, day))


def _dated(visit: Visit, day: date) -> str:
    return label_day(day, visit.now.date(), visit.language)


def _answered(fields: Mapping[str, str]) -> str:
    return "".join(
        f'<input type="hidden" name="{key}" value="{plain(fields[key])}">'
        for key in ANSWERS
        if fields.get(key)
    )


def _preview(visit: Visit, found: FileContents, fields: Mapping[str, str]) -> str:
    """Return the dialog with a preview of the import, and a button to run it."""
    told = quiet(visit.say("import_nothing"))
    if found.dates:
        first, last = (
            _dated(visit, date.fromisoformat(day)) for day in (found.dates[0], found.dates[-1])
        )
        told = f"<p>{visit.html('import_preview', turns=found.turns, first=first, last=last)}</p>"
    for person, companion in found.speakers:
        names = {"person": visible(person), "other": visible(companion)}
        told += f"<p>{visit.html('import.speakers', companion=visit.companion_name, **names)}</p>"
    left = "".join(
        f"<li>{visit.html('import.left', count=count, reason=_reason(visit, key))}</li>"
        for key, count in found.left_out.items()
        if count
    )
    if left:
        told += f"<p>{visit.html('import.left_out')}</p><ul>{left}</ul>"
    return _sheet(visit, _answered(fields) + told, is_ready=bool(found.dates))


def _reason(visit: Visit, key: str) -> str:
    if key == "keys":
        return visit.say("import.keys")
    return text("importers", f"skipped.{key}", visit.language)


def draw_files(visit: Visit) -> str:
    """Return the part of a panel for export and import."""
    links = "".join(
        f'<a class="sf-button" download="siliconfriend.json" href="./export?form={form}'
        f'&amp;{PARAMETER}={plain(visit.scope.companion)}">{visit.html(f"export_{form}")}</a>'
        for form in (("native", "bank") if visit.memory else ())
    )
    bring = opener(visit.say("import.open"), "import")
    return (
        f'<details data-part="carrying" id="carrying"><summary>{visit.html("labels.take_along")}</summary>'
        f'{quiet(visit.say("import_export_about"))}<div class="sf-acts">{bring}{links}</div></details>'
    )


def export_route(backend: Backend) -> BaseRoute:
    """Return the route that downloads the memory; no copy stays on the server."""

    def export(request: Request) -> Response:
        person = backend.visit(request).person
        told = person.export(native=request.query_params.get("form") == "native")
        kind = "attachment; filename=siliconfriend.json"
        return JSONResponse(told, headers={"content-disposition": kind})

    return Route("/export", export, methods=["GET"])

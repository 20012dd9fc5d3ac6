"""Taking a memory along as a file, and taking a past in, with a preview."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from siliconfriend.errors import UnreadableFile

from .backend import PARAMETER, Backend, Visit
from .components import LABELS, button, fills, gr, make_view, shown
from .words import plain, quiet


def lay_out_files(backend: Backend) -> None:
    """Put the part into the column that is open."""
    with gr.Accordion(LABELS("take_along"), open=False, elem_id="carrying"):
        files = make_view("memories", elem_id="files")
        kinds = [".zip", ".json", ".jsonl", ".txt", ".html", ".htm", ".csv"]
        upload = gr.UploadButton(LABELS("import"), file_types=kinds, elem_id="import")
        held = gr.State()
    fills(backend, [files], [files.select], lambda visit, _event: shown(_downloads(visit)))
    confirm = make_view("memories", main=False, elem_id="import-preview")

    def look(visit: Visit, _event: object, file: str | None) -> tuple[Any, Any]:
        with uploaded(file) as path:
            data = path.read_bytes()
        return shown(preview(visit, data)), data

    fills(backend, [confirm, held], [upload.upload], look, [upload])
    fills(backend, [confirm], [confirm.click], _import, [held])


def _downloads(visit: Visit) -> str:
    links = "".join(
        f'<a class="sf-button" download="siliconfriend.json" href="./export?form={form}'
        f'&amp;{PARAMETER}={plain(visit.scope.companion)}">{visit.html(f"export_{form}")}</a>'
        for form in ("native", "bank")
    )
    about = quiet(visit.say("import_export_about"))
    return f'{about}<div class="sf-acts">{links}</div>' if visit.memory else about


@contextmanager
def uploaded(file: str | None) -> Iterator[Path]:
    """Open an uploaded file and remove Gradio's copy of it, which erasing would not reach."""
    path = Path(file or "")
    try:
        yield path
    except OSError as error:
        raise UnreadableFile("import_no_json", cause=error) from error
    finally:
        path.unlink(missing_ok=True)


def preview(visit: Visit, data: bytes) -> str:
    """Return what an import would bring, with a button that does it."""
    turns, dates = _take_in(visit, data, dry_run=True)
    if not dates:
        return quiet(visit.say("import_nothing"))
    first, last = visit.day(min(dates)), visit.day(max(dates))
    told = visit.html("import_preview", turns=turns, first=first, last=last)
    return f"<p>{told}</p>{button(visit.say('import_now'), 'import', kind='sf-button sf-primary')}"


def _import(visit: Visit, _event: dict[str, Any], data: bytes | None) -> dict[str, Any]:
    if data is None:
        return shown("")
    turns, _ = _take_in(visit, data)
    visit.talk.changed()
    return shown("", status=visit.say("imported", turns=turns))


def _take_in(visit: Visit, data: bytes, *, dry_run: bool = False) -> tuple[int, Collection[str]]:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        path, scope, bank = Path(file.name), visit.scope, visit.backend.bank
        whose = (scope.person, scope.companion, visit.language)
        return bank.import_file(path, *whose, dry_run=dry_run)


def export_route(backend: Backend) -> BaseRoute:
    """Return the route of the whole memory as a file; no copy of it is left on the server."""

    def export(request: Request) -> Response:
        person = backend.visit(request).person
        told = person.export(native=request.query_params.get("form") == "native")
        kind = "attachment; filename=siliconfriend.json"
        return JSONResponse(told, headers={"content-disposition": kind})

    return Route("/export", export, methods=["GET"])

"""Whole memories in and out, as JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Depends, Query

from siliconfriend.memory.import_export import (
    export_memorybank,
    export_native,
    import_bank,
)
from siliconfriend.memory.scope import clean_name
from siliconfriend.runtime import Runtime
from siliconfriend.server.context import CompanionName, Context, ReachedMemory, require_operator
from siliconfriend.server.documents import COMMON, Imported
from siliconfriend.server.problems import ProblemError

router = APIRouter(prefix="/v1", tags=["import and export"], responses=COMMON)

Bank = Annotated[
    dict[str, Any],
    Body(
        description="A file of MemoryBank's, or of our own: each person under their name.",
        examples=[
            {
                "Ada": {
                    "name": "Ada",
                    "history": {
                        "2026-03-14": [
                            {"query": "I moved to Lisbon.", "response": "How do you like it?"}
                        ]
                    },
                }
            }
        ],
    ),
]


@router.get("/people/{person}/export", summary="Export a person")
def export_person(
    reached: ReachedMemory,
    form: Annotated[Literal["memorybank", "native"], Query(alias="format")] = "memorybank",
) -> dict[str, Any]:
    """Everything, archived turns too: in MemoryBank's form, or in our own with nothing left out."""
    memory = reached.memory()
    if form == "native":
        return export_native(memory, reached.scope.companion)
    return export_memorybank(memory)


@router.post("/people/{person}/import", summary="Import a person")
def import_person(reached: ReachedMemory, bank: Bank) -> Imported:
    """Import a file with this person in it and nobody else; what is there is not added again."""
    if [clean_name(name) for name in bank] != [reached.scope.person]:
        raise ProblemError(422, "import_others", {"name": reached.scope.person})
    return _import(reached.runtime, bank)


@router.post(
    "/import",
    summary="Import people",
    dependencies=[Depends(require_operator)],
)
def import_people(context: Context, bank: Bank, companion: CompanionName = None) -> Imported:
    """Import everyone in a file; only for the operator's key."""
    name = context.settings.companion if companion is None else companion
    return _import(context.runtime.for_companion(name), bank)


def _import(runtime: Runtime, bank: dict[str, Any]) -> Imported:
    settings = runtime.settings
    report = import_bank(
        runtime.store,
        bank,
        language=settings.language,
        companion=settings.companion,
        zone=settings.zone,
        now=runtime.clock.now(settings.zone),
    )
    return Imported.model_validate(report.to_json())

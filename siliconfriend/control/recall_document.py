"""The JSON of a recall: what was found, with the parts of each score, and what a prompt would hold.

The command line and the HTTP server give the same document, so that a program reads one form.
"""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.config import Settings
from siliconfriend.control.listing import words_of
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.records import Memory, PersonMemory, Turn, kind_of
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.composing import compose
from siliconfriend.recall.results import Recalled, RecallResult

PROMPT_TOKENS = 2000


def recall_document(
    scope: Scope, recollection: RecallResult, memory: PersonMemory, settings: Settings
) -> dict[str, Any]:
    """The document that ``recall --json`` prints."""
    zone, language = memory.profile.zone, memory.profile.language
    composed = compose(
        recollection,
        memory,
        language=language,
        now=recollection.now,
        zone=zone,
        companion_name=companion_name(settings, scope.companion, language),
        budget_tokens=PROMPT_TOKENS,
        overview_events=settings.overview_events,
    )
    return {
        "user": scope.person,
        "companion": scope.companion,
        "query": recollection.query,
        "recipe": recollection.recipe,
        "now": recollection.now.astimezone(zone).isoformat(),
        "memories": [recalled_json(it, zone) for it in recollection.memories],
        "facts": [recalled_json(it, zone) | _fact_fields(it.memory) for it in recollection.facts],
        "sections": dict(composed.sections),
        "dropped": list(composed.dropped),
        "timings_ms": dict(recollection.timings_ms),
        "unembedded": recollection.unembedded,
    }


def recalled_json(recalled: Recalled, zone: ZoneInfo) -> dict[str, Any]:
    """One memory of a recall, with the parts of its score."""
    memory = recalled.memory
    said_at = memory.time if isinstance(memory, Turn) else None
    return {
        "id": memory.id,
        "kind": kind_of(memory),
        "date": memory.date,
        "time": said_at.astimezone(zone).strftime("%H:%M:%S") if said_at else None,
        "turn": memory.position if isinstance(memory, Turn) else None,
        "text": words_of(memory),
        "score": recalled.score,
        "parts": dict(recalled.parts),
        "state": recalled.state,
        "strength": recalled.strength,
        "retention": recalled.retention,
    }


def _fact_fields(memory: Memory) -> dict[str, Any]:
    """The fields of a fact beside those of every memory."""
    names = ("entity", "entity_type", "aspect", "key_word", "first", "last")
    return {name: getattr(memory, name) for name in names}

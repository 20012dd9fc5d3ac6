"""Create the record of a new turn, alike for every door."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.errors import UsageError
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.words import speaks_of_self_harm
from siliconfriend.memory.codec import Unreadable, from_json, to_json
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope


def new_turn(scope: Scope, memory: PersonMemory, query: str, *, now: datetime) -> Turn:
    """Create the turn of what the person says at ``now`` (aware, UTC); no reply yet.

    Call it inside :meth:`MemoryStore.edit`: only the newest memory knows the next position.
    """
    date = day_of(now, memory.profile.zone).isoformat()
    position = memory.next_position(date)
    return Turn(
        id=memory_id(scope, "turn", date, position),
        date=date,
        position=position,
        query=query,
        response="",
        time=now,
        trace=Trace(now),
        distress=speaks_of_self_harm(query),
    )


def validate_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Validate metadata, and return it as the store will give it back.

    Raises:
        UsageError: it is no JSON object, holds a number beyond 64 bits or one that is none, or
            is hundreds deep.
    """
    try:
        json.dumps(metadata := dict(metadata), allow_nan=False)
        return from_json(to_json(metadata))
    except (TypeError, ValueError, RecursionError, Unreadable) as error:
        raise UsageError("metadata_wrong") from error

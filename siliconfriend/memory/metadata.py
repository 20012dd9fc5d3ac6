"""What a program may keep with a turn: one check for every door that takes metadata.

A value that the store cannot give back unchanged would be told as kept and be lost or altered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from siliconfriend.errors import UsageError
from siliconfriend.memory.codec import Unreadable, from_json, to_json


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

"""Where a derived text comes from: without it nothing could be made again, corrected or erased."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

BY_PERSON = "person"
"""What a text says it was made by where the person put it right; the night leaves it alone."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a derived text was made from.

    Attributes:
        made_by: the model (``openai:NAME``), ``offline``, :data:`BY_PERSON` or
            ``import``.
        made_at: when.
        from_ids: the memories it rests on.
        inputs: SHA-256 of the words it was made from; a stage is due when it differs.
    """

    made_by: str
    made_at: datetime
    from_ids: tuple[str, ...] = ()
    inputs: str = ""

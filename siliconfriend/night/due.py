"""When a derived text must be made: the one rule that all of the night rests on.

Nothing remembers that a step "ran". A text is due when there is none, when it was made
from other words than there are now, or when it was made offline and a model is there.
That alone makes a night resumable, and picks up talk, edits and erasures whenever they
come. A text that the person corrected, or that was imported, stays until its day changes.
"""

from __future__ import annotations

from siliconfriend.memory.provenance import Provenance
from siliconfriend.night.writer import OFFLINE


def is_due(provenance: Provenance | None, inputs: str, made_by: str) -> bool:
    """Whether a text is to be made by ``made_by`` from what hashes to ``inputs``.

    Args:
        provenance: of the text there is; None where there is none.
        inputs: hash of what it would be made from now.
        made_by: who would make it.
    """
    if provenance is None or provenance.inputs != inputs:
        return True
    return provenance.made_by == OFFLINE and made_by != OFFLINE

"""The stage ``index``: the search index is brought level with what is remembered.

After forgetting, what was archived leaves the index; no text that stayed the same is
embedded again.
"""

from __future__ import annotations

from siliconfriend.errors import ModelError
from siliconfriend.night.person import PersonNight

NAME = "index"


def run(night: PersonNight) -> None:
    """Rebuild the index from the memory documents."""
    if night.dry_run:
        night.report.count(NAME, due=0, done=0)
        return
    try:
        embedded = night.recaller.refresh(night.scope).embedded
    except ModelError as error:
        night.fail(NAME, error)
        embedded = 0
    night.report.count(NAME, due=embedded, done=embedded)

"""The stage ``index``: the search index is rebuilt from what is remembered.

After forgetting, what was archived leaves the index; no text that stayed the same is
embedded again. The table of associated words is made here too, while nobody waits.
"""

from __future__ import annotations

from functools import partial

from siliconfriend.errors import ModelError
from siliconfriend.night.person_night import PersonNight

NAME = "index"


def run(night: PersonNight) -> None:
    """Rebuild the index and the table of associated words."""
    embedded = 0
    if not night.options.dry_run:
        try:
            name = f"{night.scope.person}: {NAME}"
            told = partial(night.progress, name)
            embedded = night.recaller.rebuild_index(night.scope, told).embedded
            night.recaller.learn_associations(night.scope)
        except ModelError as error:
            night.fail(NAME, error)
    night.report.count(NAME, due=embedded, done=embedded)

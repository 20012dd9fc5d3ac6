"""The stage ``tidy``: what the person asked not to remember is removed.

It comes before anything is written, so that no text of this night rests on such words.
They are erased the way a person erases: with what quoted them, from index and backups.
"""

from __future__ import annotations

from siliconfriend.control.erasure.erase import erase
from siliconfriend.control.opt_out import unkept_ids
from siliconfriend.night.person_night import PersonNight

NAME = "tidy"


def run(night: PersonNight) -> None:
    """Erase every turn that is marked, and count them."""
    ids = unkept_ids(night.store.load(night.scope))
    done = 0
    if ids and not night.options.dry_run:
        erase(
            night.store,
            night.scope,
            ids,
            home=night.home,
            rewrite_index=night.runtime.rewrite_index,
            jobs=night.runtime.shared.jobs,
        )
        done = len(ids)
    night.report.count(NAME, due=len(ids), done=done)

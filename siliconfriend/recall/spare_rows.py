"""Drops rows of an index file that nothing stands for any more, once they are many.

Without it a file would keep every text that a night wrote otherwise since. Words that were erased
do not wait for it: :meth:`siliconfriend.recall.index_file.IndexFile.keep` takes them out at once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

MOST_SPARE = 1 / 64
"""Share of rows that nothing stands for any more, up to which they are let be: to look for the
rows of one day, a night would go through those of ten years."""


@dataclass(frozen=True, slots=True)
class Rows:
    """How the rows of a table are counted, listed by their key and deleted."""

    count: str
    listing: str
    deleting: str


ENTRIES = Rows(
    "SELECT count(*) FROM entry", "SELECT digest FROM entry", "DELETE FROM entry WHERE digest = ?"
)
SPOKEN = Rows(
    "SELECT count(*) FROM spoken", "SELECT key FROM spoken", "DELETE FROM spoken WHERE key = ?"
)


def drop_spare(
    base: sqlite3.Connection, rows: Rows, wanted: Collection[str], beside: Collection[str] = ()
) -> None:
    """Delete the rows whose key is in neither of both, if they are many; their bytes are overwritten."""
    beside = {it for it in beside if it not in wanted}
    ((count,),) = base.execute(rows.count)
    if count - len(wanted) - len(beside) <= MOST_SPARE * len(wanted):
        return
    held = [key for (key,) in base.execute(rows.listing)]
    gone = [(key,) for key in held if key not in wanted and key not in beside]
    base.executemany(rows.deleting, gone)

"""The questions asked of a life, and the check whether a text answers one.

What must be found are words that were told, letter for letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NOTHING = "none"
SMALL = "small"
SEVERAL = "several"
KINDS = (
    *("direct", "fact", "correction", "month", "season", "feast", "eventdate", "other"),
    *("statement", SEVERAL, NOTHING, SMALL),
)
"""The kinds of questions, in the order of the table: see the page on evaluation."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question or remark.

    Attributes:
        kind: one of :data:`KINDS`; ``none`` is a question and ``small`` a remark with nothing
            to find.
        words: what is said.
        keys: texts of which one must be found, for ``several`` all; none where there is
            nothing to find.
    """

    kind: str
    words: str
    keys: tuple[str, ...]

    @property
    def has_answer(self) -> bool:
        """True if there is something to find."""
        return self.kind not in (NOTHING, SMALL)

    def is_found_in(self, words: str) -> bool:
        """True if what must be found stands in ``words``, letter for letter."""
        return self._holds([key in words for key in self.keys])

    def _holds(self, found: Sequence[bool]) -> bool:
        return bool(found) and (all(found) if self.kind == SEVERAL else any(found))

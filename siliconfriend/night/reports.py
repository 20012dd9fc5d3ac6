"""The protocol of where the reports of nights are kept, whichever place that is.

The command line, the page and the HTTP API show reports, and a night reads from them when each
person's last forgetting pass was. What opened the files for itself would find no report where
nights run on other machines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Protocol

from siliconfriend.memory.scope import Scope

OnMalformed = Callable[[str], None]
"""Told the name of what was kept as a report and is none."""


def pass_over(_name: str) -> None:
    """Say nothing of what is no report."""


class Reports(Protocol):
    """The reports of the last nights."""

    def last(
        self, scopes: Sequence[Scope], on_malformed: OnMalformed = pass_over
    ) -> dict[str, Any] | None:
        """Load the newest report, as ``NightReport.to_json`` gives it; None where there is none.

        Args:
            scopes: everyone who is known; who is not any more has ``user`` None.
            on_malformed: told each newer one that is no report.
        """
        ...

    def of(self, scope: Scope, most: int) -> list[dict[str, Any]]:
        """Load the newest reports in which a person is, with nobody else in them, newest first."""
        ...

    def last_passes(self, scopes: Sequence[Scope]) -> dict[Scope, datetime]:
        """When the last forgetting pass of each scope was; a scope may have had none."""
        ...

"""What becomes of a text that could not be written.

A failed answer leaves its text due and is reported; the others go on. Only where asking
on is no use (the budget is spent, the model is out of reach) does the step end early.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from siliconfriend.errors import ModelError
from siliconfriend.night.call_budget import BudgetSpentError, ModelGivenUpError
from siliconfriend.night.person_night import PersonNight


def run_items(night: PersonNight, names: Sequence[str], write: Callable[[str], bool]) -> list[str]:
    """Call ``write`` for each name, in order, and report those that stay due.

    Args:
        night: whose report is filled in.
        names: what is written: ISO days, or names of texts.
        write: writes one and says whether it was kept; its answer may have become stale.

    Returns:
        The names that were written and kept.
    """
    kept = []
    for at, name in enumerate(names):
        night.progress(f"{night.scope.person}: {name}", at, len(names))
        try:
            if write(name):
                kept.append(name)
            else:
                night.report.pending.append(name)
        except ModelError as error:
            night.report.pending.append(name)
            night.fail(name, error)
        except BudgetSpentError:
            night.report.pending.extend(names[at:])
            break
        except ModelGivenUpError as error:
            night.report.pending.extend(names[at:])
            night.fail(name, error.cause, again=False)
            break
    night.progress(night.scope.person, len(names), len(names))
    return kept

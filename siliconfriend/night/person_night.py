"""One person's night: the context of every stage, and the handling of failed items.

A failed answer is reported and its text stays due; other items continue. A stage ends early only if
the budget is spent or the model is unreachable.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeVar

from siliconfriend.clock import day_of
from siliconfriend.errors import ModelError
from siliconfriend.extraction.extractor import Subject
from siliconfriend.memory.changes import Edit
from siliconfriend.memory.knowledge import OFFLINE, Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import CompletionModel
from siliconfriend.night.calls import NoMoreCallsError
from siliconfriend.night.report import PersonReport
from siliconfriend.night.writer import ModelWriter
from siliconfriend.prompts.loader import Prompts
from siliconfriend.runtime import Runtime

Progress = Callable[[str, int, int], None]
"""Progress callback: the task, the number done, and the total."""

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class NightOptions:
    """Options of a night.

    Attributes:
        stages: names of the stages to run; none for all.
        dry_run: change nothing, call no model, and report what would be done.
        today: treat the person's current day as over.
        allow_large: archive even more than the policy's share at once.
    """

    stages: tuple[str, ...] = ()
    dry_run: bool = False
    today: bool = False
    allow_large: bool = False


def ignore_progress(_what: str, _done: int, _total: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonNight:
    """Context of a stage for one person.

    ``writer`` and ``chat`` are None without a model that may write.

    ``now`` is the moment of the night in UTC, ``last_pass`` that of the last forgetting pass.
    """

    runtime: Runtime
    options: NightOptions
    progress: Progress
    scope: Scope
    subject: Subject
    writer: ModelWriter | None
    chat: CompletionModel | None
    prompts: Prompts
    now: datetime
    report: PersonReport
    last_pass: datetime | None

    @property
    def made_by(self) -> str:
        """Author recorded in the provenance of this night's texts."""
        return OFFLINE if self.chat is None else self.chat.name

    def edit(self) -> AbstractContextManager[Edit]:
        """Edit the memory of the person."""
        return self.runtime.store.edit(self.scope)

    def provenance(self, from_ids: Iterable[str], inputs: str = "") -> Provenance:
        """Return the provenance for a text of this night."""
        return Provenance(self.made_by, self.now, tuple(from_ids), inputs)

    def load(self) -> PersonMemory:
        """Load the person's newest memory, without excluded turns."""
        return self.runtime.store.load(self.scope).recallable()

    def is_over(self, day: str, memory: PersonMemory) -> bool:
        """Return True if an ISO day is over, or is today and ``today`` is set."""
        present = day_of(self.now, memory.profile.zone)
        given = date.fromisoformat(day)
        return given < present or (self.options.today and given == present)


def run_items(
    night: PersonNight, items: Sequence[_Item], run_item: Callable[[_Item], bool], name: str = ""
) -> int:
    """Call ``run_item`` for each item in order; return the number done, and report failures.

    ``run_item`` returns False if the inputs changed and the result was dropped. ``name`` replaces
    the items' own names in the report.
    """
    names, report = [name or str(item) for item in items], night.report
    done = 0
    for at, item in enumerate(items):
        night.progress(f"{night.scope.person}: {names[at]}", at, len(names))
        try:
            if run_item(item):
                done += 1
            else:
                report.pending.append(names[at])
        except ModelError as error:
            report.pending.append(names[at])
            report.fail(error, names[at])
        except NoMoreCallsError as error:
            report.pending.extend(names[at:])
            if error.cause is not None:
                report.fail(error.cause, names[at], again=False)
            break
    night.progress(night.scope.person, len(names), len(names))
    return done

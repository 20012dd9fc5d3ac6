"""One person's night: what every stage is given."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from siliconfriend.clock import day_of
from siliconfriend.errors import ModelError, ModelUnavailable, SiliconFriendError
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.night.budget import Budget, BudgetSpent
from siliconfriend.night.report import PersonReport
from siliconfriend.night.writing import Writer
from siliconfriend.recall.recaller import Recaller
from siliconfriend.texts import Language


@dataclass(frozen=True, slots=True)
class PersonNight:
    """What a stage works with.

    Attributes:
        scope: whose night.
        store: where their memory is.
        recaller: keeps their search index.
        writer: writes in their language.
        policy: what forgetting goes by.
        now: the moment of the night, aware and in UTC.
        report: what the stages fill in.
        budget: how often a model may still be asked, over all people.
        language: of the report's sentences.
        today: the person's present day counts as over.
        dry_run: look and count only.
        allow_large: forget however much is due.
        stages: the stages of this run, by name.
        last_pass: when the last forgetting pass was, None for the first.
    """

    scope: Scope
    store: MemoryStore
    recaller: Recaller
    writer: Writer
    policy: ForgettingPolicy
    now: datetime
    report: PersonReport
    budget: Budget
    language: Language = "en"
    today: bool = False
    dry_run: bool = False
    allow_large: bool = False
    stages: tuple[str, ...] = ()
    last_pass: datetime | None = None

    def load(self) -> PersonMemory:
        """The newest memory of the person."""
        return self.store.load(self.scope)

    def is_over(self, day: str, memory: PersonMemory) -> bool:
        """Whether an ISO day lies before the person's today, or is it where that counts."""
        present = day_of(self.now, memory.profile.zone)
        given = date.fromisoformat(day)
        return given < present or (self.today and given == present)

    def left_pending(self, what: str, error: ModelError | BudgetSpent) -> None:
        """Note that a text could not be written; what it is made from stays as it is."""
        if isinstance(error, BudgetSpent):
            self.report.pending.append(what)
            return
        if isinstance(error, ModelUnavailable):
            self.budget.failed(error)
        self.fail(what, error)

    def fail(self, what: str, error: SiliconFriendError) -> None:
        """Note an error of this night by what it hit."""
        sentence = f"{what}: {error.message(self.language)}"
        if sentence not in self.report.errors:
            self.report.errors.append(sentence)

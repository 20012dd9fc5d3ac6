"""One person's night: what every step is given, and what it found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from siliconfriend.clock import day_of
from siliconfriend.errors import SiliconFriendError
from siliconfriend.extraction.extractor import Subject
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import CompletionModel
from siliconfriend.night.report import PersonReport
from siliconfriend.night.writer import Writer
from siliconfriend.prompts import Prompts
from siliconfriend.recall.recaller import Recaller
from siliconfriend.texts import Language, area, text

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and out of how much."""


@dataclass(frozen=True, slots=True)
class PersonNight:
    """What a step works with.

    Attributes:
        scope: whose night.
        subject: the same person as the texts name them.
        store: where their memory is.
        recaller: keeps their search index.
        writer: writes in their language.
        chat: the model that judges and reflects; None offline.
        prompts: in their language.
        policy: what forgetting goes by.
        now: the moment of the night, aware and in UTC.
        report: what the steps fill in.
        stages: the steps of this run.
        language: of the report's sentences.
        today: the person's present day counts as over.
        dry_run: look and count only.
        allow_large: forget however much is due.
        answer_tokens: how long an answer of the model may be.
        reflect_threshold: the sum of importance from which on there is a reflection.
        reflect_window: how many of the last memories it is added up over; 0 for all since
            the last reflection.
        topic_heat: the heat from which on a topic is gone through.
        topic_capacity: how many topics stay outside the archive.
        knowledge_capacity: how many entries of each knowledge do.
        last_pass: when the last forgetting pass was, None for the first.
        progress: told of each text that is written.
    """

    scope: Scope
    subject: Subject
    store: MemoryStore
    recaller: Recaller
    writer: Writer
    chat: CompletionModel | None
    prompts: Prompts
    policy: ForgettingPolicy
    now: datetime
    report: PersonReport
    stages: tuple[str, ...]
    language: Language = "en"
    today: bool = False
    dry_run: bool = False
    allow_large: bool = False
    answer_tokens: int = 1500
    reflect_threshold: float = 3.0
    reflect_window: int = 15
    topic_heat: float = 5.0
    topic_capacity: int = 2000
    knowledge_capacity: int = 100
    last_pass: datetime | None = None
    progress: Progress = lambda _what, _done, _total: None

    def load(self) -> PersonMemory:
        """The newest memory of the person, without what is not to be remembered."""
        return self.store.load(self.scope).kept()

    def is_over(self, day: str, memory: PersonMemory) -> bool:
        """Whether an ISO day lies before the person's today, or is it where that counts."""
        present = day_of(self.now, memory.profile.zone)
        given = date.fromisoformat(day)
        return given < present or (self.today and given == present)

    def fail(self, what: str, error: SiliconFriendError, *, again: bool = True) -> None:
        """Note that ``what`` failed; an error names the model and the remedy, no memory.

        Args:
            what: an ISO day, or the key of what failed in ``night.toml``, ``report.texts``.
            error: why.
            again: note it also where the same error was noted for something else.
        """
        sentence = error.message(self.language)
        if not again and any(it.endswith(sentence) for it in self.report.errors):
            return
        named = area("night", self.language)["report"]["texts"].get(what, what)
        failure = text("night", "report.failure", self.language, what=named, sentence=sentence)
        self.report.fail(failure, error)

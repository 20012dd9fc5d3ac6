"""A person with a few days of talk, over a store with files and one without."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siliconfriend.config import Settings
from siliconfriend.control.erasure.erase import Eraser, Erasure
from siliconfriend.dialogue.companion import Companion
from siliconfriend.installation.installation import installation_in
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.knowledge import Used
from siliconfriend.memory.records import PersonMemory, Profile, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ChatModel
from siliconfriend.night.report import NightReport
from siliconfriend.recall.recaller import Recaller
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language
from tests.memory.stored import tell
from tests.night.world import night_of

NORA = Scope.of("Nora")


def erase_in(store: FileStore, scope: Scope, *ids: str) -> Erasure:
    """Erase without rewriting an index."""
    beside = installation_in(store.home)
    return Eraser(store, store.home, lambda _scope: None, beside, MovingClock()).erase(scope, ids)


@dataclass
class World:
    """One store, the person in it, and all that works on them."""

    store: MemoryStore
    settings: Settings
    scope: Scope = NORA
    language: Language = "en"
    clock: MovingClock = field(default_factory=MovingClock)
    runtime: Runtime = field(init=False)

    def __post_init__(self) -> None:
        self.runtime = Runtime(self.settings, self.clock, store=self.store)
        now = datetime(2026, 3, 1, tzinfo=UTC)
        self.store.create(
            self.scope,
            Profile(self.scope.person, language=self.language, timezone="UTC", created=now),
        )

    @property
    def home(self) -> Path:
        """The data directory."""
        return self.settings.home

    @property
    def recaller(self) -> Recaller:
        """Finds what was said."""
        return self.runtime.recaller

    def new_recaller(self) -> Recaller:
        """A recaller as another process would have it."""
        return Runtime(self.settings, self.clock, store=self.store).recaller

    def say(
        self,
        query: str,
        response: str = "I see.",
        *,
        on: str = "2026-03-02",
        used: Sequence[str] = (),
    ) -> str:
        """Say something at noon of a day; the turn's id."""
        now = datetime.fromisoformat(f"{on}T12:00:00+00:00")
        given = tuple(Used(one, 1.0, is_likely=True) for one in used)
        return tell(self.store, self.scope, query, now=now, response=response, used=given)

    def memory(self) -> PersonMemory:
        """What is remembered now."""
        return self.store.load(self.scope)

    def turn(self, identifier: str) -> Turn:
        """A turn that is there."""
        found = self.memory().find(identifier)
        assert isinstance(found, Turn)
        return found

    def erase(self, *ids: str) -> Erasure:
        """Erase as the command does."""
        return self.runtime.eraser.erase(self.scope, ids)

    def night(self, chat: ChatModel | None = None, **options: Any) -> NightReport:
        """A night over this world."""
        return night_of(Runtime(self.settings, self.clock, store=self.store, chat=chat), **options)

    def companion(self, chat: ChatModel | None = None) -> Companion:
        """The friend they talk to."""
        return Companion(self.scope.person, runtime=self.runtime, chat=chat)

    def files_with(self, *words: str) -> list[str]:
        """The files of the data directory in which any of the words stands, however written."""
        marks = [
            form.lower()
            for word in words
            for form in (word.encode(), word.encode("unicode_escape"), word.encode("utf-16-le"))
        ]
        return [
            str(path.relative_to(self.home))
            for path in sorted(self.home.rglob("*"))
            if path.is_file() and any(mark in path.read_bytes().lower() for mark in marks)
        ]

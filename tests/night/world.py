"""A small world for nights: people in a store without files, and a night in one call."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Any

from siliconfriend.config import Settings
from siliconfriend.language.characters import language_of
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ChatModel, Message
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.report import NightReport
from siliconfriend.night.run import run_night
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel, confirming
from siliconfriend.texts import Language
from tests.memory.stored import tell
from tests.memory.temporary import TemporaryStore

ADA = Scope.of("Ada")
XIAO = Scope.of("小林")
JUNE_5 = datetime(2026, 6, 5, 3, tzinfo=UTC)
NOTHING_READ: dict[str, Any] = {"events": [], "facts": [], "importance": []}
"""What a model answers that finds nothing in a batch worth remembering."""
PORTRAYAL = {"traits": "Patient.", "mood": "Glad.", "strategy": "Ask on."}


def obedient(messages: Sequence[Message]) -> Any:
    """What a model that does its work answers to any prompt of the night."""
    asked = messages[-1].content
    if '"verdicts"' in asked:
        return confirming(asked)
    if '"insights"' in asked:
        return {"insights": []}
    if "<talk>" in asked:
        return NOTHING_READ
    if language_of(asked) == "cn":
        return _obedient_in_chinese(asked)
    if '"summary"' in asked:
        return {"summary": f"Summary of {_length(asked)} characters.", **PORTRAYAL}
    words = f"Text of {_length(asked)} characters."
    return {"overall_history": words, "overall_personality": words}


def _length(asked: str) -> str:
    """The length of a prompt in letters: a figure that nobody said would not be kept."""
    return "".join("abcdefghij"[int(digit)] for digit in str(len(asked)))


def _obedient_in_chinese(asked: str) -> Any:
    words = f"这一篇的记录共 {_length(asked)} 字。"
    if '"summary"' in asked:
        return {"summary": words, **PORTRAYAL, "mood": "高兴。"}
    return {"overall_history": words, "overall_personality": words}


def working_model(**named: Any) -> ScriptedChatModel:
    """A model that answers every prompt of the night."""
    return ScriptedChatModel(otherwise=obedient, **named)


@dataclass
class World:
    """People, a clock, and a night over them."""

    settings: Settings
    store: MemoryStore = field(default_factory=TemporaryStore)
    clock: MovingClock = field(default_factory=lambda: MovingClock(JUNE_5))

    def meet(self, scope: Scope = ADA, language: Language = "en") -> None:
        """Begin a memory of someone."""
        now = datetime(2026, 6, 1, tzinfo=UTC)
        self.store.create(
            scope, Profile(scope.person, language=language, timezone="UTC", created=now)
        )

    def say(self, query: str, response: str = "I see.", *, on: str, scope: Scope = ADA) -> str:
        """Say something at noon of a day; the turn's id."""
        if not self.store.exists(scope):
            self.meet(scope)
        now = datetime.fromisoformat(f"{on}T12:00:00+00:00")
        return tell(self.store, scope, query, now=now, response=response)

    def night(
        self,
        chat: ChatModel | None = None,
        *,
        policy: str = "",
        embedder: Embedder | None = None,
        **options: Any,
    ) -> NightReport:
        """A night over this world."""
        settings = replace(self.settings, policy=policy or self.settings.policy)
        runtime = Runtime(settings, self.clock, store=self.store, chat=chat, embedder=embedder)
        return night_of(runtime, **options)

    def person_night(self, *given: Any, **options: Any) -> dict[str, Any]:
        """What a night reports of the one person there is."""
        (person,) = self.night(*given, **options).to_json()["users"]
        return dict(person)

    def memory(self, scope: Scope = ADA) -> PersonMemory:
        """What is remembered now."""
        return self.store.load(scope)


def split_options(how: dict[str, Any]) -> tuple[NightOptions, dict[str, Any]]:
    """The options of a night among keywords, and the other keywords."""
    names = {one.name for one in fields(NightOptions)} & how.keys()
    options = NightOptions(**{name: how[name] for name in names})
    return options, {name: value for name, value in how.items() if name not in names}


def night_of(runtime: Runtime, **how: Any) -> NightReport:
    """Run a night; how it is to go, and for whom, as keywords alike."""
    options, how = split_options(how)
    return run_night(runtime, options, **how)

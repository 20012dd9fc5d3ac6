"""A month told from a file: who says what on which day, and what a model notes of it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from siliconfriend.clock import Clock, FixedClock
from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import Message
from siliconfriend.night.report import NightReport
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.night.world import night_of

DAYS = 30
PORTRAYAL = {"traits": "Open.", "mood": "Changing.", "strategy": "Listen."}


@dataclass(frozen=True)
class Story:
    """A month, as its file tells it: turns by day, their themes by name, and what is to come of it."""

    person: str
    begins: date
    turns: Mapping[int, Sequence[Mapping[str, Any]]]
    themes: Mapping[str, Mapping[str, Any]]
    expected: Mapping[str, Any]

    @classmethod
    def read(cls) -> Story:
        """The story of ``month.toml``; a day nobody wrote has a line of small talk."""
        form = tomllib.loads((Path(__file__).parent / "month.toml").read_text("utf-8"))
        turns: dict[int, list[Mapping[str, Any]]] = {day: [] for day in range(1, DAYS + 1)}
        for turn in form["turn"]:
            turns[turn["day"]].append(turn)
        small = form["small_talk"]
        for at, day in enumerate(day for day, said in turns.items() if not said):
            turns[day].append({"day": day, "said": small[at % len(small)], "theme": "day"})
        begins = date.fromisoformat(form["begins"])
        return cls(form["person"], begins, turns, form["themes"], form["expected"])

    def day(self, number: int) -> date:
        """The date of a day of the story, the first being 1."""
        return self.begins + timedelta(days=number - 1)

    def said(self) -> Iterator[Mapping[str, Any]]:
        """All turns, in order."""
        for turns in self.turns.values():
            yield from turns

    def answer(self, messages: Sequence[Message]) -> Any:
        """What the model says to any prompt."""
        asked = messages[-1].content
        if messages[0].role == "system":
            told = (it for it in self.said() if asked.rstrip().endswith(it["said"]))
            return next((it.get("reply") for it in told), None) or "…"
        if "<talk>" in asked:
            return self._notes(asked)
        if "<facts>" in asked:
            return {"groups": []}
        if "<memories>" in asked:
            return {"ratings": [3] * len(re.findall(r"^\d+\. ", asked, re.MULTILINE))}
        told = " ".join([it["said"] for it in self.said() if it["said"] in asked][:3])
        told = told.replace("?", ".") or "Open, of a changing mood; listen well."
        if "<dialogue>" in asked:
            return {"summary": told, **PORTRAYAL}
        return told

    def _notes(self, asked: str) -> dict[str, Any]:
        """What a model notes of a batch, its turns numbered as the prompt numbers them."""
        talk = asked[asked.index("<talk>") : asked.index("</talk>")]
        known = re.findall(r"^(\d+)\. (.*)$", asked[: asked.index("<talk>")], re.MULTILINE)
        blocks = dict(re.findall(r"^\[(\d+)\](.*?)(?=^\[\d+\]|\Z)", talk, re.MULTILINE | re.DOTALL))
        told = {
            int(number): turn
            for number, block in blocks.items()
            for turn in self.said()
            if int(number) and turn["said"] in block
        }
        themes: dict[str, list[int]] = {}
        for number, turn in told.items():
            themes.setdefault(turn["theme"], []).append(number)
        return {
            "events": [
                {"time": "", "place": "", "scene": "", "key_words": [], "triple": [], "insight": ""}
                | event
                | {"turns": [number]}
                for number, turn in told.items()
                for event in turn.get("events", ())
            ],
            "facts": [
                self._fact(fact, number, known)
                for number, turn in told.items()
                for fact in turn.get("facts", ())
            ],
            "themes": [
                {**self.themes[name], "turns": numbers, "continues": False}
                for name, numbers in themes.items()
            ][:3],
            "importance": [turn.get("importance", 3) for turn in told.values()],
        }

    @staticmethod
    def _fact(fact: Mapping[str, Any], number: int, known: Sequence[tuple[str, str]]) -> Any:
        corrected = [int(it) for it, words in known if words == fact.get("corrects")]
        known_fact = {"corrects": corrected[0] if corrected else None, "repeats": None}
        return {"said_by": "person", **fact, **known_fact, "turns": [number]}


@dataclass
class Life:
    """A story that is being lived: the files, the clock, the model and its nights."""

    story: Story
    settings: Settings
    clock: MovingClock
    embedder: Embedder
    model: ScriptedChatModel

    @classmethod
    def begin(cls, story: Story, settings: Settings, embedder: Embedder) -> Life:
        """Nobody has said anything yet."""
        settings = replace(settings, reflect_threshold=1e9)
        model = ScriptedChatModel(otherwise=story.answer, context_tokens=32_768)
        clock, scope = MovingClock(f"{story.begins}T00:00:00+00:00"), Scope.of(story.person)
        now = clock.now(settings.zone)
        profile = Profile(story.person, language="en", timezone="UTC", created=now)
        FileStore(settings.home).create(scope, profile)
        return cls(story, settings, clock, embedder, model)

    @property
    def scope(self) -> Scope:
        """Whose it is."""
        return Scope.of(self.story.person)

    def memory(self) -> PersonMemory:
        """What is remembered now."""
        return FileStore(self.settings.home).load(self.scope)

    def runtime(self, clock: Clock | None = None) -> Runtime:
        """What a new process would open."""
        store = FileStore(self.settings.home)
        opened = {"store": store, "chat": self.model, "embedder": self.embedder}
        return Runtime(self.settings, clock or self.clock, **opened)

    def friend(self) -> Companion:
        """The companion as a new process would open it."""
        return Companion(self.story.person, runtime=self.runtime())

    def live(self, number: int) -> None:
        """Talk through a day from three in the afternoon on, and have its night."""
        self.clock.set(datetime.fromisoformat(f"{self.story.day(number)}T15:00:00+00:00"))
        friend = self.friend()
        for turn in self.story.turns[number]:
            friend.reply(turn["said"])
            self.clock.move(minutes=1)
        self.clock.set(f"{self.story.day(number + 1)}T03:00:00+00:00")
        self.night()

    def night(self, **options: Any) -> NightReport:
        """One night, now."""
        return night_of(self.runtime(FixedClock(self.clock.moment)), **options)

    def ask(self, question: str) -> tuple[Companion, str]:
        """Ask off the record; the companion and all that its model heard."""
        friend = self.friend()
        friend.reply(question, off_record=True)
        return friend, "\n".join(message.content for message in self.model.calls[-1])

"""People with canary words in one data directory, told and asked about through every door.

Each person tells a word that nobody else knows. Afterwards everything that a person, a model,
a log or a file can show is searched for the words of the others: ``tests/test_isolation.py``
with a few people, ``python -m tests.long.isolation`` with fifty.
"""

import hashlib
import io
import json
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.import_export import export_native
from siliconfriend.memory.memorybank_format import export_memorybank
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import Message
from siliconfriend.night.run import run_night
from siliconfriend.person.bank import MemoryBank
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.server.serving import Server, serving

NAMES = (
    *("Ada", "a_b", "a b", "a-b", "小明", "小 明", "晓明", "CON", "nul.txt", "LPT1", ".hidden"),
    *("..x", "x" * 200, "Zoë", "محمد", "שרה", "🙂", "l'été", 'quo"te', "<b>Bo", "%2e%2e", "a:b"),
    *("a*b?", "x;rm -rf", "${HOME}", "{name}", "name\u00a0", "null", "true", "0", "-1", "--help"),
    *("default", "backups", "memory.json", "index.sqlite", "SELECT 1", "' OR 1=1"),
    *("Robert'); DROP", "İpek", "straße", "ﬁona", "ナオミ", "김민수", "O\u0301scar"),
    *("van der Berg", "Mary-Jane", "J. R.", "Ⅷ", "𝔄𝔡𝔞𝔪"),
)
"""Fifty names that a store could mix up, or take for a path, an option or a file of its own."""

PATHS = (*("../x", "/etc/passwd", "a\\b", "..", "", " ", "a\nb", "a\0b", "x" * 10_000, "\ud800"),)
"""What cannot be a name."""

TWINS = (*("ada", "ADA", "\uff21da", "A\u200bda", "\u202eada", "\u0410da", "小\u200b明"),)
"""Names that look like one of those above: each is refused, or is somebody else."""


QUESTION = re.compile(r"What do you know about \w+\?")
"""What somebody asks about another's word, which is then no leak."""

PARTS = ("", "/turns", "/memories", "/portrait", "/export")
"""What of a person can be read over HTTP."""


@dataclass
class Town:
    """A data directory with people who each told a canary word, and what was ever shown of them.

    Attributes:
        settings: of the directory.
        clock: of everybody in it.
        people: the names that were taken.
        shown: what was shown to whom: a person's name, where, and the words.
        logged: all that was logged.
        heard: the prompt that a model was sent last.
    """

    settings: Settings
    clock: MovingClock
    people: list[str] = field(default_factory=list)
    shown: list[tuple[str, str, str]] = field(default_factory=list)
    logged: io.StringIO = field(default_factory=io.StringIO)
    heard: list[str] = field(default_factory=list)

    def runtime(self, chat: ScriptedChatModel | None = None) -> Runtime:
        """A program over the directory, as it starts."""
        return Runtime(self.settings, self.clock, chat=chat)

    def friends(self, name: str) -> tuple[Companion, Companion]:
        """A person's companion offline, and with a model."""
        model = ScriptedChatModel(otherwise=self._hear)
        runtimes = (self.runtime(), self.runtime(model))
        offline, friend = (Companion(name, runtime=runtime) for runtime in runtimes)
        return offline, friend

    def _hear(self, messages: Sequence[Message]) -> str:
        self.heard[:] = [message.content for message in messages]
        return "I see."

    def show(self, person: str, where: str, words: object) -> None:
        """Note what was shown to a person, as text."""
        written = words if isinstance(words, str) else json.dumps(words, ensure_ascii=False)
        self.shown.append((person, where, written))

    def leaks(self) -> list[tuple[str, str, str]]:
        """Who was shown whose word, and where; none if nobody's memory reached another."""
        words = {name: canary(name) for name in self.people}
        found = [
            (person, where, other)
            for person, where, text in self.shown
            for other, word in words.items()
            if other != person and word in text.lower()
        ]
        found += [
            (path.relative_to(self.settings.home).as_posix(), "file", other)
            for path, owner in self._files()
            for other, word in words.items()
            if other != owner and word.encode() in path.read_bytes().lower()
        ]
        log = self.logged.getvalue().lower()
        return found + [("", "log", name) for name, word in words.items() if word in log]

    def _files(self) -> Iterator[tuple[Path, str]]:
        """Every file of the directory, with the name of the person in whose folder it lies."""
        store = self.runtime().store
        owners = {store.folder(scope): scope.person for scope in store.scopes()}
        for path in sorted(self.settings.home.rglob("*")):
            if path.is_file():
                owned = (owners[one] for one in path.parents if one in owners)
                yield path, next(owned, "")


def canary(name: str) -> str:
    """A word that this person alone knows."""
    return "zq" + hashlib.sha256(name.encode()).hexdigest()[:10]


def settle(settings: Settings, names: Iterable[str], clock: MovingClock) -> Town:
    """Let people move in by name; who is refused stays outside."""
    town = Town(settings, clock)
    logging.getLogger().addHandler(logging.StreamHandler(town.logged))
    for name in names:
        try:
            Companion(name, runtime=town.runtime()).reply("Hello, I am new here.")
        except SiliconFriendError:
            continue
        town.people.append(Scope.of(name).person)
    return town


def talk(town: Town) -> None:
    """Everybody tells their word by each door, two nights pass, and everybody asks for all words."""
    with serving(MemoryBank(settings=town.settings, clock=town.clock)) as server:
        for name in town.people:
            _tell(town, name, server)
        for chat in (None, ScriptedChatModel(otherwise=lambda _: "Not today.")):
            town.clock.move(days=1)
            run_night(town.runtime(chat))
        for name in town.people:
            _ask(town, name, server)


def _tell(town: Town, name: str, server: Server) -> None:
    word = canary(name).capitalize()
    offline, friend = town.friends(name)
    town.show(name, "reply offline", offline.reply(f"My dog is called {word}.").text)
    town.show(name, "reply", friend.reply(f"I keep a boat named {word} in the harbour.").text)
    town.show(name, "prompt", "\n".join(town.heard))
    person = MemoryBank(settings=town.settings, clock=town.clock).person(name)
    town.show(name, "add", str(person.add(f"The key is {word}.", f"Kept: {word}.")))
    with server.client_of(name) as client:
        body = {"message": f"On 3 May I sail with {word}."}
        town.show(name, "http", client.post(f"{_path(name)}/chat", json=body).text)


def _ask(town: Town, name: str, server: Server) -> None:
    others = [one for one in town.people if one != name]
    person = MemoryBank(settings=town.settings, clock=town.clock).person(name)
    offline, friend = town.friends(name)
    with server.client_of(name) as client:
        for other in others[::7]:
            # Off the record, or the word would rightly stand among what this person said.
            question = f"What do you know about {canary(other)}?"
            reply = offline.reply(question, off_record=True)
            town.show(name, "recall", str([each.memory for each in reply.recalled.memories]))
            friend.reply(question, off_record=True)
            town.show(name, "prompt", QUESTION.sub("", "\n".join(town.heard)))
            found = client.post(f"{_path(name)}/recall", json={"question": question}).text
            town.show(name, "http recall", found.replace(question, ""))
            found = str(person.recall(question).memories)
            town.show(name, "façade", found.replace(question, ""))
        for other in others[::5]:
            for part in PARTS:
                answer = client.get(f"{_path(other)}{part}")
                town.show(name, "http of another", answer.text)
                assert answer.status_code == 404, (name, other, part, answer.text)
        for part in PARTS:
            town.show(name, "http", client.get(f"{_path(name)}{part}").text)
    town.show(name, "façade", str(person.portrait()))
    town.show(name, "façade", str(person.recall("What is the key?").memories))
    town.show(name, "recall", offline.reply("What is my dog called?").text)
    town.show(name, "reply", friend.reply("How is the boat in the harbour?").text)
    town.show(name, "prompt", QUESTION.sub("", "\n".join(town.heard)))
    memory = town.runtime().memory(Scope.of(name))
    town.show(name, "export", export_native(memory))
    town.show(name, "export", export_memorybank(memory))


def _path(name: str) -> str:
    return f"/v1/people/{quote(Scope.of(name).person, safe='')}"

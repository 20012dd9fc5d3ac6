"""Read a companion's character for a reply, and recall entries of its lore.

Lore is recalled like a person's memory, from a store that cannot write, so it neither strengthens
nor fades.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from siliconfriend.characters.character import Character, fill_macros
from siliconfriend.characters.companions import CompanionFolder
from siliconfriend.characters.entries import (
    BOOK,
    Entry,
    all_entries,
    entries_for_language,
    hear_keys,
    is_constant,
)
from siliconfriend.errors import UnknownPerson
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import KINDS
from siliconfriend.language.message import read_message
from siliconfriend.language.sentences import sentences_within
from siliconfriend.memory.atomic import translate_file_errors
from siliconfriend.memory.changes import Edit
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.passages import PassageFile, PassageRows
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.prompts.escape import Escaped
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.cue import Utterance
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import Recalled
from siliconfriend.texts import LANGUAGES, Language, text

EVERLASTING = ForgettingPolicy(
    name="lore", fate="threshold", units=dict.fromkeys(KINDS, 36_525_000.0)
)
"""Lore practically does not fade: a step takes 100,000 years."""
HEARD = 2
"""Utterances before a message that are searched for keys too."""
NEAREST = 3
"""Nearest entries that are used for a question about the companion if none is relevant by itself:
the similarities of short entries differ too little for a threshold."""


class Lore:
    """One companion: character and recall; each call sees the newest files.

    It is a :class:`~siliconfriend.memory.store.RecalledStore` that cannot write. It keeps a snapshot
    until the file changes, since an index identifies days by object identity.
    """

    def __init__(self, home: Path, companion: str, embedder: Embedder | None) -> None:
        self._home = home
        self._files = CompanionFolder(home, companion)
        self._guard = threading.Lock()
        self._read: tuple[object, PersonMemory] | None = None
        self._passages = PassageFile(self._files.index)
        self._recaller = Recaller(self, embedder, policy=EVERLASTING, home=home)

    def passages(
        self, scope: Scope, *, erasures: int | None = None
    ) -> AbstractContextManager[PassageRows | None]:
        """Return the vectors and analyses of the lore, a cache beside it."""
        return self._passages.passages(scope, erasures=erasures)

    def load(self, scope: Scope) -> PersonMemory:
        """Load the newest lore, also from other processes; UnknownPerson if there is none."""
        with self._guard, translate_file_errors(self._home):
            path = self._files.lore
            found = path.stat() if path.exists() else None
            signature = found and (found.st_ino, found.st_mtime_ns, found.st_size)
            if self._read is None or self._read[0] != signature:
                lore = self._files.read_lore()
                if lore is None:
                    raise UnknownPerson("companion_unknown", name=self._files.name)
                self._read = (signature, lore)
            return self._read[1]

    def changed_since(self, scope: Scope, sequence: int) -> list[str]:
        """Return every date: lore has no record of changes."""
        return [*self.load(scope).days]

    @contextmanager
    def edit(self, scope: Scope) -> Iterator[Edit]:
        """Ignore all changes: lore is read-only here."""
        edit = Edit(self.load(scope))
        yield edit
        edit.finish(edit.memory)

    @property
    def character(self) -> Character:
        """Return the current texts; empty for a deleted companion."""
        with translate_file_errors(self._home):
            return self._files.read_character() or Character(self._files.name)

    def told(self, field: str, language: Language, person: str | None = None) -> str:
        """Return a text with filled macros, in the other language if only that is written."""
        character = self.character
        texts = [character.texts_in(each) for each in (language, *LANGUAGES)]
        words = next((words for text in texts if (words := str(getattr(text, field)))), "")
        return self._fill(words, language, person)

    def greeting(self, language: Language, person: str, days: int = 0) -> str:
        """Return the greeting after a number of days of talk; empty if there is none."""
        greetings = self.character.texts_in(language).greetings or ("",)
        words = greetings[days % len(greetings)].replace("{person}", person)
        return self._fill(words, language, person)

    def recall(
        self,
        query: str,
        *,
        now: datetime,
        talk: Sequence[Utterance] = (),
        top: int = 5,
        top_facts: int = 10,
        language: Language | None = None,
        person: str | None = None,
    ) -> list[Recalled]:
        """Recall entries of the lore, facts first; changes nothing.

        Return at most ``top`` events and ``top_facts`` facts, best first, and before them the
        entries whose keys occur; for a question about the companion without a relevant entry, the
        nearest ones. ``language`` excludes entries of the other language; ``person`` fills macros.

        Raises:
            DamagedMemory: the lore cannot be read.
            ModelUnavailable: the embedder is a service that failed.
        """
        if not self._files.lore.exists():
            return []
        lore = self.load(self._files.scope)
        entries = entries_for_language(lore, language)
        foreign = {entry.id for entry in all_entries(lore)} - {entry.id for entry in entries}
        heard = "\n".join([*(message.text for message in talk[-HEARD:]), query])
        called, kept_away = hear_keys(entries, heard)
        found = self._recaller.recall(
            self._files.scope,
            query,
            now=now,
            top=len(entries),
            talk=talk,
            exclude=foreign | kept_away,
            top_facts=len(entries),
            companion_name="" if language is None else self.character.called(language),
        )
        # Entries of one day were not said in one talk, so neighbours of a hit are not relevant.
        near = (*found.facts, *found.memories)
        relevant = [hit for hit in near if hit.is_likely or hit.parts["words"] > 0]
        if not relevant and read_message(query).asks_about_companion:
            nearest = sorted(near, key=lambda recalled: -recalled.likelihood)[:NEAREST]
            relevant = [replace(recalled, is_likely=False) for recalled in nearest]
        several = {entry.id: _called(entry) for entry in called}
        several |= {recalled.memory.id: recalled for recalled in relevant}
        facts = [recalled for recalled in several.values() if isinstance(recalled.memory, Fact)]
        events = [recalled for recalled in several.values() if isinstance(recalled.memory, Event)]
        most_facts = top_facts + sum(isinstance(entry, Fact) for entry in called)
        return [
            replace(recalled, memory=self._filled(recalled.memory, language, person))
            for recalled in (*facts[:most_facts], *events[:top])
            if isinstance(recalled.memory, Fact | Event)
        ]

    def find(
        self,
        words: str,
        *,
        now: datetime,
        top: int,
        language: Language | None = None,
        person: str | None = None,
    ) -> list[Entry]:
        """Find the facts and events that fit as :meth:`recall` does, or all without words."""
        if not words and self._files.lore.exists():
            entries = entries_for_language(self.load(self._files.scope), language)
            return [self._filled(entry, language, person) for entry in entries]
        found = self.recall(
            words, now=now, top=top, top_facts=top, language=language, person=person
        )
        return [recalled.memory for recalled in found if isinstance(recalled.memory, Fact | Event)]

    def _fill(self, words: str, language: Language, person: str | None) -> str:
        if "{{" not in words and "<" not in words:
            return words
        called = self.character.called(language)
        return fill_macros(words, companion=called, language=language, person=person)

    def _filled(self, entry: Entry, language: Language | None, person: str | None) -> Entry:
        words = self._fill(entry.text, language or "en", person) if person else entry.text
        return entry if words == entry.text else replace(entry, text=words)


def _called(entry: Entry) -> Recalled:
    """Return a recalled entry for one that matched a key, or that always applies."""
    score = float(not is_constant(entry.extra[BOOK]))
    return Recalled(entry, score, {"key": score}, "vivid", 1.0, None, is_likely=score > 0)


def persona_prompt(
    lore: Lore | None,
    language: Language,
    prompts: Prompts | None = None,
    *,
    person: str | None = None,
    most_tokens: int = 1_000_000,
) -> Escaped:
    """Return the part of a prompt about the companion's persona and style; empty without texts.

    It has at most ``most_tokens``, a quarter of them for the style. ``person`` fills macros;
    ``prompts`` are those of an operator.
    """
    texts = ("persona", "speaking_style")
    persona, style = (lore.told(words, language, person) if lore else "" for words in texts)
    if lore is None or not (persona or style):
        return Escaped()
    nothing = text("characters", "nothing_told", language)
    names = {"person": person, "companion_name": lore.character.called(language)}
    speakers = {role: name for role, name in names.items() if name}
    render = partial((prompts or Prompts(language)).render, "persona", **speakers)
    room = most_tokens - estimate_tokens(render(persona=nothing, speaking_style=nothing))
    if room <= 0:
        return Escaped()
    style = sentences_within(style, room // 4, estimate_tokens)
    persona = sentences_within(persona, room - estimate_tokens(style), estimate_tokens)
    return render(persona=persona or nothing, speaking_style=style or nothing)

"""One person's memory, for programs of one's own: bots, notebooks, other front ends.

Everything here is what the terminal and the web page do too, by the same code. A program that
wrote the store's files by itself would lose its lock, its journal and what erasing promises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from siliconfriend.control import actions
from siliconfriend.dialogue.chat_history import live_turns
from siliconfriend.dialogue.external_exchange import ExternalExchange, record_external_exchange
from siliconfriend.dialogue.recording import record_scene_end
from siliconfriend.errors import UsageError
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.import_export import export_memorybank, export_native
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.lookalike_names import check_newcomer
from siliconfriend.memory.metadata import validate_metadata
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.models.output import clean
from siliconfriend.recall.cue import Utterance
from siliconfriend.recall.index_text import index_text_for
from siliconfriend.recall.results import RecallResult
from siliconfriend.runtime import Runtime
from siliconfriend.service.timestamps import parse_timestamp
from siliconfriend.texts import Language

if TYPE_CHECKING:
    from siliconfriend.control.erasure.erase import Erasure
    from siliconfriend.night.report import NightReport
    from siliconfriend.recall.association import Association
    from siliconfriend.stream.memory_stream import MemoryStream

STREAM_DECAY = 0.995 ** (1 / 3600)
"""Decay of recency per second in a stream: 0.995 an hour, as in Generative Agents."""
STREAM_WINDOW = 10


@dataclass(frozen=True, slots=True)
class PersonProfile:
    """Who a person is, as far as their memory tells.

    Attributes:
        name: the person's.
        companion: whose memory it is.
        language: ``en`` or ``cn``.
        timezone: IANA name; decides what a day is.
        portrait: what they are like; empty before the first night.
        history: what happened over all days; empty before the first night.
        facts: the facts that are true now, the last told first.
    """

    name: str
    companion: str
    language: Language
    timezone: str
    portrait: str
    history: str
    facts: tuple[Fact, ...]


class Person:
    """One person as one companion remembers them; safe between threads.

    Args:
        scope: the person and the companion.
        runtime: the opened parts of the program.

    Attributes:
        scope: as given.
    """

    def __init__(self, scope: Scope, runtime: Runtime) -> None:
        self.scope = scope
        self._runtime = runtime
        self._store = runtime.store

    def is_known(self) -> bool:
        """True if anything is remembered of them."""
        return self._store.exists(self.scope)

    def memory(self) -> PersonMemory:
        """Load all that is remembered, as it is now.

        Raises:
            UnknownPerson: nothing is remembered of them.
        """
        return self._store.load(self.scope)

    def turns(self) -> Iterator[Turn]:
        """All turns, oldest first, archived ones too."""
        return self.memory().turns()

    def export(self, *, native: bool = False) -> dict[str, Any]:
        """Everything as JSON: in MemoryBank's form, or in our own with nothing left out."""
        if native:
            return export_native(self.memory(), self.scope.companion)
        return export_memorybank(self.memory())

    def profile(self) -> PersonProfile:
        """The portrait, the history and the facts that are true now.

        Raises:
            UnknownPerson: nothing is remembered of them.
        """
        memory = self.memory()
        personality, history = memory.overall_personality, memory.overall_history
        facts = [fact for fact in memory.facts() if fact.is_active]
        facts.sort(key=lambda fact: (fact.last or fact.date, fact.id), reverse=True)
        return PersonProfile(
            name=memory.profile.name,
            companion=self.scope.companion,
            language=memory.profile.language,
            timezone=memory.profile.zone.key,
            portrait=personality.text if personality else "",
            history=history.text if history else "",
            facts=tuple(facts),
        )

    def add(
        self,
        said: str,
        replied: str = "",
        *,
        at: datetime | date | str | None = None,
        replied_by: str = "",
        metadata: Mapping[str, Any] | None = None,
    ) -> Turn:
        """Store an exchange that was held elsewhere; a person not met yet begins with it.

        It is durable when this returns, on the person's own day. A wish not to be remembered
        ("don't remember this", 别记这个) counts as in a chat: ``turn.unkept`` then says so.

        Args:
            said: the person's words.
            replied: what was answered; may be empty.
            at: when; a text in any ISO 8601 form; without an offset on the person's clock, a
                day alone leaves the time open. Now unless given, at most a day ahead.
            replied_by: who answered.
            metadata: what your program knows about the exchange, a JSON object kept with it.

        Raises:
            RefusedName: somebody new has a name that looks like a known one.
            UsageError: nothing was said, the moment cannot be one, or the metadata not be kept.
            StoreError: the memory cannot be read or written.
        """
        said, replied = clean(said).strip(), clean(replied).strip()
        if not said:
            raise UsageError("nothing_said")
        kept = validate_metadata(metadata or {})
        memory = self._runtime.memory(self.scope)
        written = at.isoformat() if isinstance(at, date) else at
        when = parse_timestamp(written, zone=memory.profile.zone, now=self._runtime.now(memory))
        if not self._store.exists(self.scope):
            check_newcomer(self._store, self.scope)
            self._store.create(self.scope, memory.profile)
        exchange = ExternalExchange(said, replied, when.moment, when.has_time, replied_by, kept)
        return record_external_exchange(self._store, self.scope, exchange).turn

    def answer(self, turn_id: str, replied: str, *, replied_by: str = "") -> Turn:
        """Put the answer to a message that was added without one, or another in its place.

        Raises:
            UsageError: there is no such turn, or the answer is empty.
            StoreError: the memory cannot be read or written.
        """
        replied = clean(replied).strip()
        if not replied:
            raise UsageError("nothing_said")
        with self._store.edit(self.scope) as edit:
            (turn,) = actions.find_memories(edit.memory, [turn_id])
            if not isinstance(turn, Turn):
                raise UsageError("memory_unknown", id=turn_id)
            words = index_text_for(turn.query, replied, (), day=turn.date)
            answered = replace(turn, response=replied, replied_by=replied_by, index_text=words)
            edit.add(PutTurn(answered))
        return answered

    def conversation(self) -> list[Turn]:
        """The turns of the conversation that goes on, of the last six hours at most, oldest first.

        Those before :meth:`change_scene` are no part of it.
        """
        if not self.is_known():
            return []
        memory = self.memory()
        turns = live_turns(memory.kept(), self._runtime.now(memory))
        ends = [at for at, turn in enumerate(turns, start=1) if turn.scene_over]
        return turns[ends[-1] :] if ends else turns

    def change_scene(self) -> int:
        """Begin another scene: the conversation ends, and the night reads it; how many turns left it."""
        return record_scene_end(self._store, self.scope)

    def recall(
        self,
        query: str,
        *,
        top: int = 10,
        at: datetime | None = None,
        talk: Sequence[Utterance] = (),
        recipe: str = "siliconfriend",
        reinforce: bool = False,
    ) -> RecallResult:
        """Recall the memories and facts that matter to what is asked or said, best first.

        Args:
            query: the question or remark.
            top: at most so many memories.
            at: the moment of the recall, aware; now unless given.
            talk: what was said before it in this conversation, oldest first.
            recipe: how memories are ranked.
            reinforce: strengthen what is relevant, as a reply does with what enters its
                prompt. Without it nothing is changed.

        Raises:
            UnknownPerson: nothing is remembered of them.
            ModelUnavailable: the embedder cannot be loaded or reached.
        """
        memory = self.memory()
        now = at or self._runtime.now(memory)
        name = companion_name(self._runtime.settings, self.scope.companion, memory.profile.language)
        recaller = self._runtime.recaller
        found = recaller.recall(
            self.scope, query, now=now, top=top, talk=talk, recipe=recipe, companion_name=name
        )
        if reinforce:
            recaller.reinforce(self.scope, found, now=now)
        return found

    def pin(self, *ids: str, pinned: bool = True) -> None:
        """Keep memories from ever fading, or let them fade again. Errors as :meth:`erase`."""
        actions.pin(self._store, self.scope, ids, pinned=pinned)

    def forget(self, *ids: str) -> None:
        """Archive memories at once; :meth:`restore` brings them back. Errors as :meth:`erase`."""
        actions.forget(self._store, self.scope, ids, self._runtime.now(self.memory()))

    def restore(self, *ids: str) -> None:
        """Bring archived or fading memories back with fresh strength. Errors as :meth:`erase`."""
        actions.restore(self._store, self.scope, ids, self._runtime.now(self.memory()))

    def erase(self, *ids: str) -> Erasure:
        """Erase memories and all that was made from them, for good, and search for what is left.

        Raises:
            UsageError: one of them is not there; nothing is changed then.
            StoreError: the memory cannot be read or written.
        """
        from siliconfriend.control.erasure.erase import erase
        from siliconfriend.memory.in_memory_store import InMemoryStore

        # What ends with this program has no files to search, and no next start to take it up.
        ends_here = isinstance(self._store, InMemoryStore)
        return erase(
            self._store,
            self.scope,
            ids,
            home=None if ends_here else self._runtime.settings.home,
            rewrite_index=self._runtime.rewrite_index,
            jobs=self._runtime.shared.jobs,
        )

    def night(self, *, today: bool = False, max_calls: int | None = None) -> NightReport:
        """Run this person's night: sum up, extract, forget, bring the index up to date.

        Args:
            today: take the person's present day as over.
            max_calls: how often the model may be asked; what is left waits for the next night.

        Raises:
            UnknownPerson: nothing is remembered of them.
        """
        from siliconfriend.night.person_night import NightOptions
        from siliconfriend.night.run import run_night

        options, users = NightOptions(today=today), [self.scope.person]
        return run_night(self._runtime, options, users=users, max_calls=max_calls)

    def stream(self) -> MemoryStream:
        """The turns, events and insights as a memory stream, oldest first.

        It is a copy: what it retrieves or reflects changes nothing that is stored. Model and
        embedder are those of the settings.
        """
        from siliconfriend.recall.association import concepts_of
        from siliconfriend.stream.memory import Memory
        from siliconfriend.stream.memory_stream import MemoryStream

        memories = []
        for concept in concepts_of(self.memory()):
            memory_type = "reflection" if concept.kind == "insight" else "observation"
            memory = Memory(
                concept.description, concept.created, concept.last_accessed, memory_type
            )
            memory.importance = concept.importance
            memories.append(memory)
        memories.sort(key=lambda memory: memory.creation_timestamp)
        return MemoryStream(
            memories,
            *(1.0, 1.0, 1.0),
            decay_factor=STREAM_DECAY,
            context_window_size=STREAM_WINDOW,
            chat=self._runtime.chat,
            embedder=self._runtime.embedder,
            clock=self._runtime.clock,
        )

    def association(self) -> Association:
        """The turns, events and insights linked by key words and weighed by focal points; a copy."""
        from siliconfriend.recall.association import Association, OwnWeights, concepts_of

        memory = self.memory()
        return Association(
            concepts_of(memory),
            now=self._runtime.now(memory),
            embedder=self._runtime.embedder,
            own=OwnWeights.of(self._runtime.settings),
        )

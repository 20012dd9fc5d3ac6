"""Talk with a person: messages, replies, and what is due."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from siliconfriend.clock import day_of
from siliconfriend.control.edit import find_memories
from siliconfriend.errors import UsageError
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.models.output import clean
from siliconfriend.person.timestamps import parse_timestamp
from siliconfriend.person.views import Due, Silence

if TYPE_CHECKING:
    from siliconfriend.dialogue.companion import Companion
    from siliconfriend.dialogue.recording import RecordedExchange
    from siliconfriend.dialogue.reply import Reply

from siliconfriend.person.base import PersonBase


class TalkingPerson(PersonBase):
    """The talk of a person with a companion."""

    @cached_property
    def companion(self) -> Companion:
        """The companion they talk to; it answers one message at a time.

        Raises:
            ConfigurationError: the model or the embedder cannot be opened.
        """
        from siliconfriend.dialogue.companion import Companion

        return Companion(self.scope.person, runtime=self._runtime)

    def greeting(self, days: int) -> str:
        """Return how the companion begins a talk; empty where nobody wrote that."""
        lore, profile = self.companion.lore, self._runtime.memory(self.scope).profile
        return "" if lore is None else lore.greeting(profile.language, self.scope.person, days)

    def reply(self, said: str, **options: Any) -> Reply:
        """Answer a message with a whole reply; options and errors as :meth:`stream`."""
        for _ in self.stream(said, **options):
            pass
        reply = self.companion.last_reply
        assert reply is not None
        return reply

    def stream(
        self, said: str, *, off_record: bool = False, **options: Any
    ) -> Generator[str, None, None]:
        """Answer a message piece by piece; then ``companion.last_reply`` holds the reply.

        The options are those of :meth:`Companion.stream`. Closing the generator early keeps
        what was answered so far.

        Raises:
            RefusedName: somebody new has a name that looks like a known one.
            UsageError: nothing was said, or an option is refused.
            ModelError: the model failed; the person's words are kept.
        """
        if not off_record and clean(said).strip():
            self.meet(said=said)
        yield from self.companion.stream(said, off_record=off_record, **options)

    def add(
        self,
        said: str,
        replied: str = "",
        *,
        at: datetime | date | str | None = None,
        replied_by: str = "",
        metadata: Mapping[str, Any] | None = None,
        recalled: Iterable[Memory] = (),
        source: str = "",
    ) -> RecordedExchange:
        """Store an exchange that was held elsewhere; somebody new begins with it.

        It is durable when this returns, on the person's own day. A wish not to be remembered
        ("don't remember this", 别记这个) counts as in a chat: ``turn.unkept`` then says so.

        Args:
            said: the person's words.
            replied: what was answered; may be empty.
            at: when; a text in any ISO 8601 form; without an offset on the person's clock, a
                day alone leaves the time open. Now unless given, at most a day ahead.
            replied_by: who answered.
            metadata: what your program knows about the exchange, a JSON object kept with it.
            recalled: memories that were given for the answer, whose words it may repeat.
            source: key of the request, 16 hex digits; sent again it is not stored again.

        Raises:
            RefusedName: somebody new has a name that looks like a known one.
            UsageError: nothing was said, the moment cannot be one, or the metadata not be kept.
        """
        from siliconfriend.dialogue.recording import record_external_exchange
        from siliconfriend.memory.creation import validate_metadata

        said, replied = clean(said).strip(), clean(replied).strip()
        if not said:
            raise UsageError("nothing_said")
        kept = validate_metadata(metadata or {})
        memory = self.memory() if self.is_known() else self._memory_to_be(said)
        written = at.isoformat() if isinstance(at, date) else at
        when = parse_timestamp(written, zone=memory.profile.zone, now=self._runtime.now(memory))
        self.meet(said=said)
        stored = record_external_exchange(
            self._store,
            self.scope,
            said,
            replied,
            when.moment,
            has_time=when.has_time,
            replied_by=replied_by,
            metadata=kept,
            recalled=recalled,
            source=source,
        )
        self._extract_soon()
        return stored

    def answer(self, turn_id: str, replied: str, *, replied_by: str = "") -> Turn:
        """Put the answer to a message that was added without one, or replace it.

        Raises:
            UsageError: there is no such turn, or the answer is empty.
        """
        from siliconfriend.memory.changes import PutTurn
        from siliconfriend.recall.repeated_questions import index_text_for

        replied = clean(replied).strip()
        if not replied:
            raise UsageError("nothing_said")
        with self._store.edit(self.scope) as edit:
            (turn,) = find_memories(edit.memory, [turn_id])
            if not isinstance(turn, Turn):
                raise UsageError("memory_unknown", id=turn_id)
            words = index_text_for(turn.query, replied, (), day=turn.date)
            answered = replace(turn, response=replied, replied_by=replied_by, index_text=words)
            edit.add(PutTurn(answered))
        return answered

    def turns(self) -> Iterator[Turn]:
        """Return all turns, oldest first, archived ones too."""
        return self.memory().turns()

    def conversation(self) -> list[Turn]:
        """Return the turns of the current conversation, of the last six hours at most."""
        from siliconfriend.dialogue.chat_history import live_turns

        if not self.is_known():
            return []
        memory = self.memory()
        turns = live_turns(memory.kept(), self._runtime.now(memory))
        ends = [at for at, turn in enumerate(turns, start=1) if turn.scene_over]
        return turns[ends[-1] :] if ends else turns

    def change_scene(self) -> int:
        """End the conversation, to be extracted; return how many turns leave it."""
        from siliconfriend.dialogue.recording import record_scene_end

        left = record_scene_end(self._store, self.scope)
        if left:
            self._extract_soon()
        return left

    def due(self, *, mark: bool = False, hello: bool = True, unasked: bool = True) -> Due:
        """Say what is due today, each matter once.

        Args:
            mark: count it as said.
            hello: begin with a greeting.
            unasked: say nothing in the quiet hours.
        """
        from siliconfriend.dialogue.first_words import compose, find_first_matters, speak_first

        settings, memory = self._runtime.settings, self.memory()
        now, zone = self._runtime.now(memory), memory.profile.zone
        is_off = settings.speaks_first == "no"
        if unasked and not is_off and settings.is_quiet(now.astimezone(zone).time()):
            return Due(silent="night")
        recaller, name = self._runtime.recaller, self.companion_name
        nothing: Silence = "off" if is_off else "nothing"
        if mark:
            said = speak_first(
                self._store,
                recaller,
                self.scope,
                now=now,
                companion_name=name,
                hello=hello,
                reminders_only=is_off,
            )
            return Due(said.text, said.matters) if said else Due(silent=nothing)
        today = day_of(now, zone)
        matters = find_first_matters(recaller, self.scope, memory, today, reminders_only=is_off)
        if not matters:
            return Due(silent=nothing)
        return Due(compose(matters, memory, today, name, hello=hello), matters)

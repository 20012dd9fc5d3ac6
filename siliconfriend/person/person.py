"""Change one person's memories with one companion, and talk."""

from __future__ import annotations

import hashlib
from collections.abc import (
    AsyncGenerator,
    Callable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload
from zoneinfo import ZoneInfo

from siliconfriend.config.settings import parse_timezone
from siliconfriend.control.edit import Action, Before, act, edit_memory, undo
from siliconfriend.control.notes import write_notes
from siliconfriend.errors import ConfigurationError, UnreadableFile, UsageError
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.import_export import export_native
from siliconfriend.memory.memorybank_format import export_memorybank
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.models.output import clean, validate_message
from siliconfriend.person.asynchronous import twin
from siliconfriend.person.messages import exchanges_in
from siliconfriend.person.remembered import RememberedPerson
from siliconfriend.person.views import Imported, parse_timestamp
from siliconfriend.texts import Language, text

if TYPE_CHECKING:
    from siliconfriend.control.erasure.erase import Erasure
    from siliconfriend.dialogue.companion import Companion
    from siliconfriend.dialogue.first_words import FirstWords
    from siliconfriend.dialogue.recording import RecordedExchange
    from siliconfriend.dialogue.reply import Reply
    from siliconfriend.importers.messages import Options
    from siliconfriend.models.base import Message
    from siliconfriend.night.person_night import NightOptions
    from siliconfriend.night.report import NightReport


class About(TypedDict, total=False):
    """Optional details of an exchange.

    Attributes:
        at: when, as :func:`parse_timestamp` reads it; now unless given.
        language: of somebody new.
        timezone: of somebody new, IANA.
        replied_by: who answered.
        metadata: a JSON object of your program, kept with the exchange.
        recalled: memories that were given for the answer, whose words it may repeat.
        source: key of the request, 16 hex digits; sent again it is not stored again.
    """

    at: datetime | date | str | None
    language: Language | None
    timezone: str | None
    replied_by: str
    metadata: Mapping[str, Any] | None
    recalled: Iterable[Memory]
    source: str


class Person(RememberedPerson):
    """One person's memories with one companion; thread-safe except for replies.

    Methods that read raise UnknownPerson if nothing is remembered, and StoreError if the memory
    cannot be read. Methods that take ids raise UsageError, and change nothing, if one is missing.
    """

    @cached_property
    def companion(self) -> Companion:
        """The companion they talk to; it answers one message at a time."""
        from siliconfriend.dialogue.companion import Companion

        return Companion(self.scope.person, runtime=self._runtime)

    def greeting(self, days: int = 0, language: Language | None = None) -> str:
        """Return the companion's written greeting after ``days``; empty if there is none."""
        lore = self._runtime.lore(self.scope.companion)
        return lore.greeting(language or self.language, self.scope.person, days) if lore else ""

    def reply(self, said: str, **options: Any) -> Reply:
        """Answer a message with a whole reply; options and errors as :meth:`Companion.stream`."""
        return self.companion.reply(said, **options)

    def stream(self, said: str, **options: Any) -> Generator[str, None, None]:
        """Answer a message piece by piece, as :meth:`Companion.stream` does."""
        return self.companion.stream(said, **options)

    def prompt(self, said: str) -> list[Message]:
        """Return the messages that a model would be sent for these words; store nothing."""
        return self.companion.prompt(said)

    @overload
    def add(self, said: str, replied: str = "", **about: Unpack[About]) -> RecordedExchange: ...

    @overload
    def add(
        self, *, messages: Sequence[Mapping[str, Any]], **about: Unpack[About]
    ) -> list[RecordedExchange]: ...

    def add(
        self,
        said: str = "",
        replied: str = "",
        *,
        messages: Sequence[Mapping[str, Any]] | None = None,
        **about: Unpack[About],
    ) -> RecordedExchange | list[RecordedExchange]:
        """Store one or more exchanges from another program; creates a new person.

        It is durable when this returns. A wish not to be remembered ("don't remember this",
        别记这个) counts as in a chat: ``turn.unkept`` then says so.

        Args:
            said: the person's words.
            replied: what was answered; may be empty.
            messages: instead of both, messages with ``role`` and ``content`` as chat programs send
                them; each message of the user with its answer is an exchange.
            about: see :class:`About`.

        Raises:
            RefusedName: the person is new and the name looks like a known one.
            UsageError: nothing or too much was said, the moment cannot be one, the metadata not be kept, or a
                message not be read; nothing is stored then.
        """
        if messages is None:
            return self._add(said, replied, **about)
        source, stored = about.get("source", ""), []
        for number, (words, answer) in enumerate(exchanges_in(messages)):
            key = hashlib.sha256(f"{source} {number}".encode()).hexdigest()[:16] if source else ""
            about["source"] = key
            stored.append(self._add(words, answer, **about))
        return stored

    def _add(self, said: str, replied: str, **about: Unpack[About]) -> RecordedExchange:
        from siliconfriend.dialogue.recording import record_external_exchange
        from siliconfriend.dialogue.wish_acts import likely_act
        from siliconfriend.memory.drafts import validate_metadata

        said, replied = validate_message(said), clean(replied).strip()
        kept = validate_metadata(about.get("metadata") or {})
        at, timezone, zone = about.get("at"), about.get("timezone"), self.zone
        if timezone and not self.is_known():
            zone = ZoneInfo(parse_timezone(timezone))
        moment, has_time = parse_timestamp(at, zone=zone, now=self.now())
        self.meet(language=about.get("language"), timezone=timezone, said=said)
        stored = record_external_exchange(
            self._store,
            self.scope,
            said,
            replied,
            moment,
            has_time=has_time,
            replied_by=about.get("replied_by", ""),
            metadata=kept,
            recalled=about.get("recalled", ()),
            source=about.get("source", ""),
            act=likely_act(said, self._runtime.embedder),
            is_present=at is None,
        )
        self._extract_soon()
        return stored

    def help_for(self, said: str) -> str:
        """Return the text that names help, in the person's language, if words speak of self-harm."""
        from siliconfriend.dialogue.distress import help_before

        return help_before(said, self.settings, self.language)

    def answer(self, turn_id: str, replied: str, *, replied_by: str = "") -> Turn:
        """Put or replace the answer to a message; UsageError: no such turn, or no answer."""
        replied = clean(replied).strip()
        if not replied:
            raise UsageError("nothing_said")
        with self._store.edit(self.scope) as edit:
            turn = edit.memory.find(turn_id)
            if not isinstance(turn, Turn):
                raise UsageError("memory_unknown", id=turn_id)
            answered = replace(turn, response=replied, replied_by=replied_by)
            edit.add(PutTurn(answered))
        return answered

    def turns(self) -> Iterator[Turn]:
        """Return all turns, oldest first, archived ones too."""
        return self.memory().turns()

    def conversation(self) -> list[Turn]:
        """Return the turns of the current conversation, of the last six hours at most."""
        from siliconfriend.dialogue.chat_history import live_turns

        turns = live_turns(self._runtime.memory(self.scope).in_mind(), self.now())
        ends = [0, *(at for at, turn in enumerate(turns, start=1) if turn.scene_over)]
        return turns[ends[-1] :]

    def change_scene(self) -> int:
        """End the conversation, to be extracted; return how many turns leave it."""
        from siliconfriend.dialogue.recording import record_scene_end

        left = record_scene_end(self._store, self.scope)
        if left:
            self._extract_soon()
        return left

    def due(
        self, *, mark: bool = False, hello: bool = True, unasked: bool = True, returns: bool = False
    ) -> FirstWords:
        """Return what is due today; ``mark`` counts it as said, so that it is not repeated.

        ``hello`` begins with a greeting; ``unasked`` is silent in the quiet hours. With ``returns``
        the text is more than reminders, whatever ``speaks_first`` says.
        """
        from siliconfriend.dialogue.first_words import FirstWords, speak_first

        now, is_off = self.now(), self.settings.speaks_first == "no"
        is_quiet = self.settings.is_quiet(now.astimezone(self.zone).time())
        if unasked and is_quiet and not is_off:
            return FirstWords(silent="night")
        return speak_first(
            self._store,
            self._runtime.recaller,
            self.scope,
            now=now,
            companion_name=self.companion_name,
            hello=hello,
            reminders_only=is_off and not returns,
            mark=mark,
        )

    def act(self, action: Action, *ids: str) -> Before:
        """Do an action; return what :meth:`undo` needs to take it back."""
        return act(self._store, self.scope, action, ids, self.now())

    def undo(self, before: Before) -> None:
        """Undo an action, keeping later recalls."""
        undo(self._store, self.scope, before, self.now())

    def pin(self, *ids: str, pinned: bool = True) -> None:
        """Keep memories from ever fading, or let them fade again."""
        self.act("pin" if pinned else "unpin", *ids)

    def forget(self, *ids: str) -> None:
        """Put memories away: they are never recalled until :meth:`restore`."""
        self.act("forget", *ids)

    def restore(self, *ids: str) -> None:
        """Restore put away, archived or fading memories with new strength."""
        self.act("restore", *ids)

    def edit(
        self,
        memory_id: str,
        *,
        query: str | None = None,
        response: str | None = None,
        text: str | None = None,
    ) -> tuple[str, ...]:
        """Correct the words of a turn (``query``, ``response``) or of anything else (``text``).

        ``memory_id`` may be that of a :class:`PortraitPart`; UsageError: its kind has no such words.
        Returns the ids of what was made of the old words, which the next night makes again; a
        model on a server reads a corrected turn at once.
        """
        given = {"query": query, "response": response, "text": text}
        words = {name: value and clean(value).strip() for name, value in given.items()}
        gone = tuple(edit_memory(self._store, self.scope, memory_id, self.now(), **words))
        if gone:
            self._extract_soon()
        return gone

    def erase(self, *ids: str) -> Erasure:
        """Erase memories and their derived texts permanently, and search for remaining words."""
        return self._runtime.eraser.erase(self.scope, ids)

    def import_(
        self,
        paths: Sequence[Path],
        options: Options,
        *,
        form: str | None = None,
        dry_run: bool = False,
        reading: Callable[[str], None] = lambda _name: None,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> Imported:
        """Import talks that another program exported; what is there already is not added again.

        ``form`` is the program, recognized unless given; ``reading`` is told the name of each file
        before it is read, ``progress`` how many turns of how many are written.

        Raises:
            Undecided, RefusedName: something that only the person knows, or a refused new name.
            UnreadableFile: a file is not what it should be, or holds no message.
        """
        from siliconfriend.importers.ledger import take_in, weigh
        from siliconfriend.importers.reading import read_past

        self.check_name()
        memory = self._runtime.memory(self.scope)
        now, profile = self._runtime.now(memory), memory.profile
        mark = text("importers", "report.key_mark", profile.language)
        past = read_past(
            paths, form, options, zone=profile.zone, now=now, key_mark=mark, reading=reading
        )
        if not past.drafts and not past.left_out:
            raise UnreadableFile("import_no_messages", path=paths[0].name)
        if dry_run:
            return Imported(self.scope, past, weigh(memory, self.scope, past.drafts, now), True)
        self._store.create(self.scope, profile)
        taken = take_in(self._store, self.scope, past.drafts, now, progress)
        return Imported(self.scope, past, taken, False)

    def export(self, *, native: bool = False) -> dict[str, Any]:
        """Return everything as JSON: in MemoryBank's form, or our own with nothing left out."""
        memory = self.memory()
        self._runtime.installation.audit.record("export", self.scope.person)
        return export_native(memory, self.scope.companion) if native else export_memorybank(memory)

    def notes(self, folder: Path) -> int:
        """Write the memory as Markdown notes into a new or empty folder; return how many.

        UsageError, ConfigurationError: the folder holds something, or cannot be written.
        """
        try:
            return write_notes(folder, self.memory(), self.companion_name)
        except OSError as error:
            raise ConfigurationError("file_unwritable", path=folder, cause=error) from error

    def night(self, /, options: NightOptions | None = None, **how: Any) -> NightReport:
        """Run this person's night, with the keywords of :func:`run_night`.

        It sums up, extracts, forgets and brings the index up to date.
        """
        from siliconfriend.night.run import run_night

        return run_night(self._runtime, options, users=[self.scope.person], **how)

    def areply(self, said: str, **options: Any) -> Coroutine[Any, Any, Reply]:
        """Answer a message with a whole reply, as :meth:`Companion.areply` does."""
        return self.companion.areply(said, **options)

    def astream(self, said: str, **options: Any) -> AsyncGenerator[str, None]:
        """Answer a message piece by piece, as :meth:`Companion.astream` does."""
        return self.companion.astream(said, **options)

    aadd: Any = twin(add)
    aanswer = twin(answer)
    aconversation = twin(conversation)
    achange_scene = twin(change_scene)
    adue = twin(due)
    apin = twin(pin)
    aforget = twin(forget)
    arestore = twin(restore)
    aedit = twin(edit)
    aerase = twin(erase)
    aimport = twin(import_)
    aexport = twin(export)
    anight = twin(night)

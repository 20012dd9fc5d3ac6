"""One person as one companion remembers them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siliconfriend.control.edit import act
from siliconfriend.models.output import clean
from siliconfriend.person.views import Deleted, Edited, Imported

if TYPE_CHECKING:
    from siliconfriend.control.edit import Action
    from siliconfriend.control.erasure.erase import Erasure
    from siliconfriend.forgetting.trace import Trace
    from siliconfriend.importers.messages import Options
    from siliconfriend.night.person_night import NightOptions
    from siliconfriend.night.report import NightReport

from siliconfriend.person.knowing import RememberedPerson
from siliconfriend.person.talking import TalkingPerson


class Person(TalkingPerson, RememberedPerson):
    """One person as one companion remembers them; safe between threads but for a reply.

    Methods that read raise UnknownPerson where nothing is remembered, and StoreError where
    the memory cannot be read. Methods that take ids raise UsageError, and change nothing,
    where one of them is not there.
    """

    def act(self, action: Action, *ids: str) -> None:
        """Do what another action undoes: pin, unpin, forget, restore, unkeep, rekeep."""
        now = self._runtime.now(self.memory())
        act(self._store, self.scope, action, ids, now)

    def pin(self, *ids: str, pinned: bool = True) -> None:
        """Keep memories from ever fading, or let them fade again."""
        self.act("pin" if pinned else "unpin", *ids)

    def forget(self, *ids: str) -> None:
        """Archive memories at once; :meth:`restore` brings them back."""
        self.act("forget", *ids)

    def restore(self, *ids: str) -> None:
        """Bring archived or fading memories back with fresh strength."""
        self.act("restore", *ids)

    def keep(self, *ids: str) -> bool:
        """Keep turns after all that asked not to be remembered; False if they are gone."""
        memory = self.memory()
        there = [it for it in ids if memory.find(it) is not None]
        self.act("rekeep", *there)
        return bool(there)

    def traces(self, *ids: str) -> tuple[tuple[str, Trace], ...]:
        """Return the state of memories, to be put back by :meth:`put_traces`."""
        return tuple((row.memory.id, row.memory.trace) for row in self.rows(*ids))

    def put_traces(self, traces: Iterable[tuple[str, Trace]]) -> None:
        """Pin and archive memories as they were before."""
        from siliconfriend.memory.changes import PutTrace

        with self._store.edit(self.scope) as edit:
            for identifier, before in traces:
                now = edit.memory.find(identifier)
                if now is not None:
                    trace = replace(now.trace, pinned=before.pinned, archived=before.archived)
                    edit.add(PutTrace(identifier, trace))

    def edit(
        self,
        memory_id: str,
        *,
        query: str | None = None,
        response: str | None = None,
        text: str | None = None,
    ) -> Edited:
        """Correct the words of a turn (``query``, ``response``) or of anything else (``text``).

        What was made of the old words is removed and made again by the next night.

        ``memory_id``: a memory's, or that of a :class:`PortraitPart`.

        Raises:
            UsageError: no such memory, or words that its kind does not have.
        """
        from siliconfriend.control.edit import edit_memory

        now = self._runtime.now(self.memory())
        given = {"query": query, "response": response, "text": text}
        words = {name: value and clean(value) for name, value in given.items()}
        derived = edit_memory(self._store, self.scope, memory_id, now, **words)
        return Edited(memory_id, tuple(derived))

    def erase(self, *ids: str) -> Erasure:
        """Erase memories and all that was made from them, for good, and search for what is left."""
        return self._runtime.eraser.erase(self.scope, ids)

    def delete(self) -> Deleted:
        """Delete what this companion remembers of the person, for good, and search for the rest."""
        return Deleted((self.scope,), self._runtime.eraser.delete([self.scope]))

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

        ``form``: the program; recognized unless given.
        ``reading``: told the name of each file before it is read.
        ``progress``: told how many turns of how many are written.

        Raises:
            Undecided: something that only the person knows; nothing was written.
            UnreadableFile: a file is not what it should be, or holds no message.
            RefusedName: somebody new has a name that looks like a known one.
        """
        from siliconfriend.errors import UnreadableFile
        from siliconfriend.importers.ledger import take_in, weigh
        from siliconfriend.importers.reading import read_past
        from siliconfriend.importers.turns import Setting
        from siliconfriend.texts import text

        self.check_name()
        memory = self._runtime.memory(self.scope)
        now, profile = self._runtime.now(memory), memory.profile
        mark = text("importers", "report.key_mark", profile.language)
        past = read_past(paths, form, options, Setting(profile.zone, now, mark), reading)
        if not past.drafts and not past.left_out:
            raise UnreadableFile("import_no_messages", path=paths[0])
        if dry_run:
            return Imported(self.scope, past, weigh(memory, self.scope, past.drafts, now), True)
        self._store.create(self.scope, profile)
        taken = take_in(self._store, self.scope, past.drafts, now, progress)
        return Imported(self.scope, past, taken, False)

    def export(self, *, native: bool = False) -> dict[str, Any]:
        """Return everything as JSON: in MemoryBank's form, or our own with nothing left out."""
        from siliconfriend.memory.import_export import export_memorybank, export_native

        if native:
            return export_native(self.memory(), self.scope.companion)
        return export_memorybank(self.memory())

    def notes(self, folder: Path) -> int:
        """Write the memory as Markdown notes into a new or empty folder; return how many.

        Raises:
            UsageError: the folder holds something.
            ConfigurationError: it cannot be written.
        """
        from siliconfriend.control.notes import write_notes
        from siliconfriend.errors import ConfigurationError

        try:
            return write_notes(folder, self.memory(), self.companion_name)
        except OSError as error:
            raise ConfigurationError("file_unwritable", path=folder, cause=error) from error

    def night(
        self, options: NightOptions | None = None, *, today: bool = False, **how: Any
    ) -> NightReport:
        """Run this person's night: sum up, extract, forget, bring the index up to date.

        ``today`` takes the present day as over; other keywords are those of :func:`run_night`.
        """
        from siliconfriend.night.person_night import NightOptions
        from siliconfriend.night.run import run_night

        options = options or NightOptions(today=today)
        return run_night(self._runtime, options, users=[self.scope.person], **how)

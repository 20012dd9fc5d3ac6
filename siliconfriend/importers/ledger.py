"""Import each turn of an export once, also from repeated or partial exports.

Each turn stores the keys of its messages, and an erasure keeps them as tombstones, so that messages
are recognised in other files. Turns are written in atomic chunks; running the same command again
continues an interrupted import. Imported turns fade from the day of the import.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from siliconfriend.forgetting.trace import Trace
from siliconfriend.importers.turns import TurnDraft, Words, place_of
from siliconfriend.language.message import read_message
from siliconfriend.memory.changes import Change, PutTurn
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import SOURCE, Scope, memory_id, source_tombstone
from siliconfriend.memory.store import MemoryStore

CHUNK = 1_000
"""Turns of one write, which takes about 0.1 s."""


@dataclass(slots=True)
class TakenIn:
    """Counts of an import.

    Attributes:
        added: new turns.
        grown: existing turns that got further messages.
        known: turns that were imported before.
        kept_erased: turns that were erased here and stay away.
        dates: days that got words.
    """

    added: int = 0
    grown: int = 0
    known: int = 0
    kept_erased: int = 0
    dates: dict[str, None] = field(default_factory=dict)


def take_in(
    store: MemoryStore,
    scope: Scope,
    drafts: Sequence[TurnDraft],
    now: datetime,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> TakenIn:
    """Write the new ``drafts``, in order of time, into the existing memory of ``scope``.

    New turns fade from ``now`` (aware, UTC). ``progress`` is called with the number of finished and
    of all turns after each chunk.

    Raises:
        StoreError: a chunk cannot be written; earlier chunks are kept.
    """
    ledger = _Ledger(store.load(scope), scope, drafts, now)
    for start in range(0, len(drafts), CHUNK):
        chunk = drafts[start : start + CHUNK]
        with store.edit(scope) as edit:
            edit.add(*ledger.changes(edit.memory, chunk))
        progress(min(start + CHUNK, len(drafts)), len(drafts))
    if ledger.taken.added or ledger.taken.grown:
        store.tidy(scope)
    return ledger.taken


def weigh(
    memory: PersonMemory, scope: Scope, drafts: Sequence[TurnDraft], now: datetime
) -> TakenIn:
    """Count what :func:`take_in` would do, without changes."""
    ledger = _Ledger(memory, scope, drafts, now)
    list(ledger.changes(memory, drafts))
    return ledger.taken


class _Ledger:
    """The keys of all messages in a memory during an import; ``taken`` has the counts."""

    def __init__(
        self, memory: PersonMemory, scope: Scope, drafts: Sequence[TurnDraft], now: datetime
    ) -> None:
        self.taken = TakenIn()
        self._scope, self._now = scope, now
        self._turn_of = {key: turn.id for turn in memory.turns() for key in turn.sources}
        here = {words.key for draft in drafts for words in draft.words}
        gone = {key.removeprefix(SOURCE) for key in memory.erased if key.startswith(SOURCE)}
        self._known_before = {place_of(key) for key in self._turn_of.keys() - here}
        self._gone_before = {place_of(key) for key in gone - here}

    def changes(self, memory: PersonMemory, drafts: Sequence[TurnDraft]) -> Iterator[Change]:
        """Yield the changes that add these drafts to the newest ``memory``."""
        days, taken = {draft.date for draft in drafts}, self.taken
        for day in days & memory.days.keys():  # another process may have imported turns
            for turn in memory.days[day].turns:
                self._turn_of |= dict.fromkeys(turn.sources, turn.id)
        free, written = dict[str, int](), dict[str, Turn]()
        for draft in drafts:
            known = [words for words in draft.words if self._is_known(words)]
            fresh = {
                one.key for one in draft.words if not (one in known or self._is_gone(one, memory))
            }
            if not fresh:
                taken.known += bool(known)
                taken.kept_erased += not known
                continue
            before = self._going_on(memory, written, known)
            if before is None:
                taken.added += 1
                trace = Trace(draft.moment(memory.profile.zone), brought=self._now)
                day = draft.date
                position = free[day] if day in free else memory.next_position(day)
                free[day] = position + 1
                identifier = memory_id(self._scope, "turn", day, position)
                before = Turn(identifier, day, position, "", "", draft.time, trace, "import")
            else:
                taken.grown += 1
            turn = _grown(before, draft, fresh, self._now)
            taken.dates[turn.date] = None
            self._turn_of |= dict.fromkeys(turn.sources, turn.id)
            written[turn.id] = turn
            yield PutTurn(turn)

    # A message that may be edited is known if this speaker said something at this time that the file
    # no longer contains.

    def _is_known(self, words: Words) -> bool:
        was_reworded = words.edited and place_of(words.key) in self._known_before
        return was_reworded or words.key in self._turn_of

    def _is_gone(self, words: Words, memory: PersonMemory) -> bool:
        was_reworded = words.edited and place_of(words.key) in self._gone_before
        return was_reworded or source_tombstone(words.key) in memory.erased

    def _going_on(
        self, memory: PersonMemory, written: Mapping[str, Turn], known: Sequence[Words]
    ) -> Turn | None:
        """Return the turn to extend; None if there is none, or if the person changed it."""
        ids = [self._turn_of[words.key] for words in known if words.key in self._turn_of]
        turn = (written.get(ids[-1]) or memory.find(ids[-1])) if ids else None
        if not isinstance(turn, Turn) or turn.edited or turn.unkept or not turn.trace.is_active:
            return None
        return turn


def _grown(turn: Turn, draft: TurnDraft, fresh: set[str], now: datetime) -> Turn:
    """Add the new words to a turn, which the night reads again and which fades from ``now``."""
    new = [words for words in draft.words if words.key in fresh]
    asked = [words.text for words in new if words.is_person]
    answered = [words.text for words in new if not words.is_person]
    return replace(
        turn,
        query="\n".join(filter(None, (turn.query, *asked))),
        response="\n".join(filter(None, (turn.response, *answered))),
        sources=turn.sources + tuple(words.key for words in new),
        distress=turn.distress or read_message("\n".join(asked)).is_distress,
        context="live",
        trace=replace(turn.trace, brought=now),
    )

"""Import each turn of an export once, also from repeated or partial exports.

Each turn stores the keys of its messages, and an erasure keeps them as tombstones, so that messages
are recognised in longer exports and other files. Turns are written in chunks, each as a whole; the
same command continues an interrupted import. Imported turns fade from the day they were brought.
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
"""Turns that are written at once: some 0.1 s, and no more than that is lost when stopped."""


@dataclass(slots=True)
class TakenIn:
    """Counts of the imported and skipped turns of an export."""

    added: int = 0
    grown: int = 0
    """Turns that were here and got messages a longer export has more."""
    known: int = 0
    """Turns that are here already, whole."""
    kept_erased: int = 0
    """Turns that stay away because they were erased here."""
    dates: dict[str, None] = field(default_factory=dict)
    """Days that got words, each once."""


def take_in(
    store: MemoryStore,
    scope: Scope,
    drafts: Sequence[TurnDraft],
    now: datetime,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> TakenIn:
    """Write the new ``drafts``, in order of time, into the existing memory of ``scope``.

    From ``now`` on, aware and in UTC, the new ones fade; ``progress`` is told after each chunk how
    many turns of how many are done.

    Raises:
        StoreError: it cannot be written; the chunks before are in, whole.
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
    """Count what :func:`take_in` would do; changes nothing."""
    ledger = _Ledger(memory, scope, drafts, now)
    list(ledger.changes(memory, drafts))
    return ledger.taken


class _Ledger:
    """Keys of the messages in a memory during an import; ``taken`` counts the results."""

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
        """Yield the changes that take these drafts into ``memory``, the newest."""
        days, taken = {draft.date for draft in drafts}, self.taken
        for day in days & memory.days.keys():  # with what another process took in meanwhile
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

    # An edited message is one that is here with other words, if it was said when that was, and the
    # file has that no more.

    def _is_known(self, words: Words) -> bool:
        was_reworded = words.edited and place_of(words.key) in self._known_before
        return was_reworded or words.key in self._turn_of

    def _is_gone(self, words: Words, memory: PersonMemory) -> bool:
        was_reworded = words.edited and place_of(words.key) in self._gone_before
        return was_reworded or source_tombstone(words.key) in memory.erased

    def _going_on(
        self, memory: PersonMemory, written: Mapping[str, Turn], known: Sequence[Words]
    ) -> Turn | None:
        """The turn that goes on; None where there is none, or where the person changed it."""
        ids = [self._turn_of[words.key] for words in known if words.key in self._turn_of]
        turn = (written.get(ids[-1]) or memory.find(ids[-1])) if ids else None
        if not isinstance(turn, Turn) or turn.edited or turn.unkept or not turn.trace.is_active:
            return None
        return turn


def _grown(turn: Turn, draft: TurnDraft, fresh: set[str], now: datetime) -> Turn:
    """Return the turn with the new words; the night reads it again, and it fades from ``now``."""
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

"""Retrieve the memories for a message: the person's, shared ones, and the companion's lore.

The three are never mixed; another companion's memories are read only if its file shares them.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from heapq import merge

from siliconfriend.characters.lore import Lore
from siliconfriend.clock import day_of
from siliconfriend.dialogue.chat_history import Exchange, to_utterances
from siliconfriend.dialogue.message_writer import MOST_RECALLED
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.due import DueMatter, Planned, due_range, find_due
from siliconfriend.recall.raised import said_first
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import Recalled, RecallResult
from siliconfriend.recall.silenced import silenced_names, speaks_of

FURTHEST = 366
"""Days ahead in which plans are listed on request."""

MOST_FACTS, MAX_STORY_EVENTS = 6, 5
"""Maximum number of facts, and of story events, for a message."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The memories for a message, with what is due and the turns of today's first words.

    ``memories`` are the person's, with those of companions that share theirs. ``planned`` has
    future plans if the message asks for them.
    """

    memories: RecallResult
    own_story: tuple[Recalled, ...] = ()
    due: tuple[DueMatter, ...] = ()
    planned: tuple[Planned, ...] = ()
    said_first: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Retriever:
    """Retrieves for one person and companion; ``recipe`` says how memories are ranked."""

    store: MemoryStore
    recaller: Recaller
    scope: Scope
    recipe: str
    lore: Lore | None

    def retrieve(
        self,
        message: IncomingMessage,
        *,
        companion_name: str,
        talk: Sequence[Exchange],
        exclude: Collection[str],
    ) -> Retrieved:
        """Recall memories for a message in the context of its conversation.

        ``talk`` has the preceding utterances, oldest first; ``exclude`` has ids of turns already in
        the prompt.
        """
        said, profile, utterances = message.text, message.memory.profile, to_utterances(talk)
        today, due = day_of(message.now, profile.zone), tuple[DueMatter, ...]()
        ahead = tuple[Planned, ...]()
        memories = RecallResult(said, "", message.now)
        if self.store.exists(self.scope):
            recall = partial(
                self.recaller.recall,
                now=message.now,
                top=MOST_RECALLED,
                top_facts=MOST_FACTS,
                recipe=self.recipe,
                talk=utterances,
                companion_name=companion_name,
                words_suffice=True,
            )
            own = recall(self.scope, said, exclude=exclude)
            shared = shared_scopes(self.store, self.scope, self.lore)
            memories = merge_shared(own, [recall(scope, said) for scope in shared])
            if not message.is_first:
                planned = self.recaller.planned(
                    self.scope, *due_range(message.memory, today), exclude=exclude
                )
                due = find_due(planned, message.memory, today, said)
            if message.reading.asks_ahead or any(span.last > today for span in own.spans):
                last = today + timedelta(days=FURTHEST)
                ahead = self.recaller.planned(self.scope, today, last, exclude=exclude)
        story = self.lore and self.lore.recall(
            said,
            now=message.now,
            talk=utterances,
            top=MAX_STORY_EVENTS,
            language=profile.language,
            person=self.scope.person,
        )
        memories = _with_successors(memories, message.memory)
        names = silenced_names(message.memory, said)
        found = Retrieved(
            memories=memories,
            own_story=tuple(story or ()),
            due=due,
            planned=ahead,
            said_first=said_first(message.memory, today),
        )
        return _without(found, names) if names else found

    def finder(self, memory: PersonMemory) -> Callable[[str], Memory | None]:
        """Return a function that finds a memory by id, including shared ones."""
        scopes = shared_scopes(self.store, self.scope, self.lore)
        shared = [self.store.load(scope) for scope in scopes]

        def find(identifier: str) -> Memory | None:
            found = (source.find(identifier) for source in (memory, *shared))
            return next((known for known in found if known is not None), None)

        return find


def _with_successors(found: RecallResult, memory: PersonMemory) -> RecallResult:
    """Place after each outdated turn the later turn with the current state."""
    memories = dict[str, Recalled]()
    for recalled in found.memories:
        memories.setdefault(recalled.memory.id, recalled)
        later = memory.find(getattr(recalled.memory, "outdated_by", ""))
        if later is not None:
            memories.setdefault(later.id, replace(recalled, memory=later))
    return replace(found, memories=tuple(memories.values()))


def _without(found: Retrieved, names: Sequence[str]) -> Retrieved:
    """Remove memories that mention silenced names."""

    def may_come_up(memory: Memory) -> bool:
        return not speaks_of(memory.text, names)

    recalled = found.memories
    memories = tuple(result for result in recalled.memories if may_come_up(result.memory))
    facts = tuple(result for result in recalled.facts if may_come_up(result.memory))
    chains = {of: tuple(filter(may_come_up, chain)) for of, chain in recalled.chains.items()}
    return Retrieved(
        replace(recalled, memories=memories, facts=facts, chains=chains),
        found.own_story,
        tuple(matter for matter in found.due if not speaks_of(matter.words, names)),
        tuple(plan for plan in found.planned if may_come_up(plan.memory)),
        tuple(turn for turn in found.said_first if not speaks_of(turn.besides_wish, names)),
    )


def shared_scopes(store: MemoryStore, scope: Scope, lore: Lore | None) -> list[Scope]:
    """Return the person's memories with companions that share theirs with this one."""
    scopes = (Scope.of(scope.person, name) for name in (lore.character.shares if lore else ()))
    return [shared for shared in scopes if store.exists(shared)]


def merge_shared(own: RecallResult, shared: Sequence[RecallResult]) -> RecallResult:
    """Merge in what other companions share; each keeps its order, and none of it counts as likely."""
    memories: Iterable[Recalled] = own.memories
    facts = own.facts
    for other in shared:
        unlikely = [replace(memory, is_likely=False) for memory in other.memories]
        memories = merge(memories, unlikely, key=lambda memory: -memory.likelihood)
        facts += tuple(replace(fact, is_likely=False) for fact in other.facts)
    return replace(own, memories=tuple(memories), facts=facts)

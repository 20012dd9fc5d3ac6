"""Retrieves what a message brings to mind: the person's memory, shared ones, the companion's own.

The three are never mixed: what the companion's lore says is nobody's memory, and what
another companion was told comes in only where the companion's file says that they share.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from siliconfriend.clock import day_of
from siliconfriend.dialogue.chat_history import Exchange, to_utterances
from siliconfriend.dialogue.likelihood import (
    FILE_NAME,
    Asked,
    Judged,
    Kind,
    Weights,
    judge,
    weights_for,
)
from siliconfriend.dialogue.open_matters import DueMatter, due_range, find_due, said_first
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.language.long_texts import beginning_and_end
from siliconfriend.lore.lore import Lore
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.dates import find_dates
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import Recalled, RecallResult, with_answers
from siliconfriend.runtime import Runtime

MAX_MEMORIES = 10
"""Most memories of the person."""
LIKELIEST = 6
"""So many more that lie near and are likeliest to be meant, be they below the threshold: a model
sees for itself whether they are."""

LEAST = 0.005
"""What is less likely to be meant than this is left out of the prompt, too."""

NEAR = 24
"""So many that lie near are judged beside what ranking found."""

LIKELY = 3
"""Of so many that are likeliest to be meant what was told later comes along, if it changes them."""

MAX_STORY_EVENTS = 5
"""Most events of the companion's own story."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a message brought to mind.

    Attributes:
        memories: of the person, with those of companions that share theirs.
        own_story: of the companion's own lore; None where nobody described it.
        due: what the person told of a day that has come, is near or has just gone.
        said_first: turns that the companion spoke of today before it was asked.
        judged: how likely each memory is what the message calls for.
        sequels: what was told later and changes one of these memories, by the id of that one.
    """

    memories: RecallResult
    own_story: RecallResult | None = None
    due: tuple[DueMatter, ...] = ()
    said_first: tuple[Turn, ...] = ()
    judged: Judged = field(default_factory=Judged)
    sequels: Mapping[str, tuple[Recalled, ...]] = field(default_factory=dict)

    @property
    def may_be_told(self) -> bool:
        """True if something that was found may be what the message calls for."""
        likeliest = max(self.judged.of.values(), default=0.0)
        return bool(self.memories.facts) or likeliest >= self.judged.some > 0.0


@dataclass(frozen=True, slots=True)
class Retriever:
    """Retrieves for one person and companion.

    Attributes:
        store: where memories are.
        recaller: over it.
        scope: whose memory it is.
        recipe: how memories are ranked.
        lore: of the companion; None where nobody described it.
        weights: what each sign counts that a memory is what a message calls for.
    """

    store: MemoryStore
    recaller: Recaller
    scope: Scope
    recipe: str
    lore: Lore | None
    weights: Mapping[Kind, Weights]

    @classmethod
    def of(cls, runtime: Runtime, scope: Scope, recipe: str, lore: Lore | None) -> Retriever:
        """Build the retriever of a person from what a program has open.

        Raises:
            ConfigurationError: the operator's weights cannot be read.
        """
        embedder = runtime.recaller.embedder
        weights = weights_for(
            embedder.name if embedder else None, runtime.settings.home / FILE_NAME
        )
        return cls(runtime.store, runtime.recaller, scope, recipe, lore, weights)

    def retrieve(
        self,
        message: IncomingMessage,
        *,
        companion_name: str,
        talk: Sequence[Exchange],
        exclude: Collection[str],
        top: int = MAX_MEMORIES,
        likeliest: int = LIKELIEST,
        use_threshold: bool = True,
    ) -> Retrieved:
        """Recall what bears on a message, read in the talk it stands in.

        Args:
            message: what is answered.
            companion_name: what the companion calls itself, which is not searched for.
            talk: what was said just before, oldest first.
            exclude: ids of the turns that stand in the prompt already.
            top: at most so many memories.
            likeliest: so many more that lie near.
            use_threshold: leave out what does not matter, as a reply does.
        """
        utterances = to_utterances(talk)

        def recall(scope: Scope, exclude: Collection[str]) -> RecallResult:
            return self.recaller.recall(
                scope,
                message.text,
                now=message.now,
                top=top,
                recipe=self.recipe,
                talk=utterances,
                exclude=exclude,
                use_threshold=use_threshold,
                companion_name=companion_name,
                near=NEAR if use_threshold and scope == self.scope else 0,
            )

        memories, judged = RecallResult(message.text, "", message.now), Judged()
        sequels: dict[str, tuple[Recalled, ...]] = {}
        if self.store.exists(self.scope):
            own = recall(self.scope, exclude)
            judged = self._judge(message, own)
            if use_threshold:
                likely = _likely(own, judged)
                sequels = self.recaller.sequels(
                    self.scope, likely, now=message.now, exclude=exclude
                )
            own = _with_likeliest(with_answers(own, top), judged, likeliest)
            own = _with_sequels(own, sequels)
            memories = _merge_shared(own, [recall(scope, ()) for scope in self._shared_scopes()])
        due = self._due(message, exclude)
        today = day_of(message.now, message.memory.profile.zone)
        first = said_first(message.memory, today)
        if self.lore is None:
            return Retrieved(memories, None, due, first, judged, sequels)
        own_story = self.lore.recall(
            message.text,
            now=message.now,
            talk=utterances,
            top=MAX_STORY_EVENTS,
            language=message.memory.profile.language,
            person=self.scope.person,
        )
        return Retrieved(memories, own_story, due, first, judged, sequels)

    def _judge(self, message: IncomingMessage, found: RecallResult) -> Judged:
        """Judge all that was found for a message, and what lies near."""
        zone = message.memory.profile.zone
        said = beginning_and_end(message.text)  # what recall read of it
        spans = find_dates(said, now=message.now, zone=zone)
        asked = Asked.of(said, spans, found.answers)
        return judge(asked, (*found.answers, *found.memories, *found.near), self.weights)

    def _due(self, message: IncomingMessage, exclude: Collection[str]) -> tuple[DueMatter, ...]:
        """What is due on the person's day, of what stands in the message's memory."""
        if message.is_first or not self.store.exists(self.scope):
            return ()
        today = day_of(message.now, message.memory.profile.zone)
        planned = self.recaller.planned(self.scope, *due_range(today), exclude=exclude)
        return find_due(planned, message.memory, today)

    def _shared_scopes(self) -> list[Scope]:
        """The person's memories with companions that share theirs with this one."""
        names = self.lore.shares if self.lore else ()
        scopes = (Scope.of(self.scope.person, name) for name in names)
        return [scope for scope in scopes if self.store.exists(scope)]


def _likely(found: RecallResult, judged: Judged) -> list[Turn]:
    """The turns that are likeliest to be meant."""
    every = {it.memory.id: it for it in (*found.answers, *found.memories, *found.near)}
    ranked = sorted(every.values(), key=lambda it: (-judged.likelihood(it), it.memory.id))
    turns = [it.memory for it in ranked if judged.likelihood(it) >= LEAST]
    return [it for it in turns if isinstance(it, Turn)][:LIKELY]


def _with_sequels(found: RecallResult, sequels: Mapping[str, tuple[Recalled, ...]]) -> RecallResult:
    """What was found, with what changes it and was not found itself."""
    known = {it.memory.id for it in found.memories}
    more = {it.memory.id: it for several in sequels.values() for it in several}
    return replace(
        found,
        memories=(*found.memories, *(it for key, it in more.items() if key not in known)),
    )


def _with_likeliest(found: RecallResult, judged: Judged, most: int) -> RecallResult:
    """What was found, with a few more that lie near and are likeliest to be meant."""
    known = {it.memory.id for it in (*found.memories, *found.facts)}
    near = [it for it in found.near if it.memory.id not in known and judged.likelihood(it) >= LEAST]
    near.sort(key=lambda it: (-judged.likelihood(it), it.memory.id))
    more = [replace(it, is_relevant=False) for it in near[:most]]
    return replace(found, memories=(*found.memories, *more))


def _merge_shared(own: RecallResult, shared: list[RecallResult]) -> RecallResult:
    """Merge in what other companions share, marked as not this one's own, best first."""
    memories, facts = list[Recalled](own.memories), list[Recalled](own.facts)
    for other in shared:
        memories += [replace(memory, is_relevant=False) for memory in other.memories]
        facts += [replace(fact, is_relevant=False) for fact in other.facts]
    memories.sort(key=lambda memory: -memory.score)
    return replace(own, memories=tuple(memories), facts=tuple(facts))

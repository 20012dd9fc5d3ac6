"""What a message brings to mind: the person's memory, the companion's own, and shared ones.

The three are never mixed: what the companion's lore says is nobody's memory, and what
another companion was told comes in only where the companion's file says that they share.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from siliconfriend.dialogue.reply_in_progress import ReplyInProgress
from siliconfriend.lore.lore import Lore
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import Recalled, RecallResult

OWN_STORY = 5
"""Most events of the companion's own story."""


@dataclass(frozen=True, slots=True)
class MemoryRetrieval:
    """Recalls for one person and companion.

    Attributes:
        store: where memories are.
        recaller: over it.
        scope: whose memory it is.
        recipe: how memories are ranked.
        lore: of the companion; None where nobody described it.
    """

    store: MemoryStore
    recaller: Recaller
    scope: Scope
    recipe: str
    lore: Lore | None

    def retrieve(
        self,
        attempt: ReplyInProgress,
        *,
        companion_name: str,
        last_reply: str,
        exclude: Collection[str],
    ) -> None:
        """Set what the attempt recalls.

        Args:
            attempt: the reply that is being made.
            companion_name: what the companion calls itself, which is not searched for.
            last_reply: what the companion said last, where a model hears it.
            exclude: ids of the turns that stand in the prompt already.
        """
        if self.store.exists(self.scope):
            own = self._recalled(self.scope, attempt, companion_name, last_reply, exclude)
            attempt.recollection = self._with_shared(own, attempt, companion_name, last_reply)
        if self.lore is not None:
            attempt.own_story = self.lore.recall(
                attempt.said,
                now=attempt.now,
                last_reply=last_reply,
                top=OWN_STORY,
                language=attempt.before.profile.language,
            )

    def _recalled(
        self,
        scope: Scope,
        attempt: ReplyInProgress,
        companion_name: str,
        last_reply: str,
        exclude: Collection[str],
    ) -> RecallResult:
        return self.recaller.recall(
            scope,
            attempt.said,
            now=attempt.now,
            recipe=self.recipe,
            last_reply=last_reply,
            exclude=exclude,
            companion_name=companion_name,
        )

    def _with_shared(
        self, own: RecallResult, attempt: ReplyInProgress, companion_name: str, last_reply: str
    ) -> RecallResult:
        """With what the person told companions that share theirs; none of that is strengthened."""
        memories, facts = list(own.memories), list(own.facts)
        for name in self.lore.shares if self.lore else ():
            scope = Scope.of(self.scope.person, name)
            if self.store.exists(scope):
                found = self._recalled(scope, attempt, companion_name, last_reply, ())
                memories += [replace(it, own=False) for it in found.memories]
                facts += [replace(it, own=False) for it in found.facts]
        return replace(own, memories=_best_first(memories), facts=tuple(facts))


def _best_first(memories: list[Recalled]) -> tuple[Recalled, ...]:
    return tuple(sorted(memories, key=lambda it: -it.score))

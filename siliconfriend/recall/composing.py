"""From what was recalled to the words that enter a prompt, within a budget.

The best memories get in first, but they stand in the order of their days, so that the
model reads a history and not a ranking. No memory stands twice; a dim one is marked; what
the budget dropped is reported. The words are what was said and nothing else: fencing them
off as a record is the prompt's work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from siliconfriend.memory.records import Insight, Memory, Overall, PersonMemory, Turn, Used
from siliconfriend.models.tokens import tokens_of
from siliconfriend.recall.recollection import Recalled, Recollection
from siliconfriend.recall.time_words import told_time, with_days
from siliconfriend.recall.words import sentences
from siliconfriend.texts import Language, text

PORTRAIT_SHARE = 0.25
"""Most of the budget that each of the two overall texts may take."""


@dataclass(frozen=True, slots=True)
class Composed:
    """The memory part of a prompt.

    Attributes:
        sections: ``overall_history``, ``overall_personality`` and ``memories`` as text.
        used: the memories that got in, best first, with the parts of their scores.
        dropped: ids of those the budget left out.
        dates: the days of those that got in, in order, as text.
    """

    sections: Mapping[str, str]
    used: tuple[Used, ...]
    dropped: tuple[str, ...]
    dates: str


def compose(
    recollection: Recollection,
    memory: PersonMemory,
    *,
    language: Language,
    now: datetime,
    zone: ZoneInfo,
    companion_name: str,
    budget_tokens: int,
) -> Composed:
    """Put what was recalled into sections of at most ``budget_tokens`` together."""
    share = int(budget_tokens * PORTRAIT_SHARE)
    history = _within(memory.overall_history, share)
    personality = _within(memory.overall_personality, share)
    teller = _Teller(memory.profile.name, companion_name, language, now, zone)
    left = budget_tokens - tokens_of(history) - tokens_of(personality)
    entered: list[Recalled] = []
    dropped: list[str] = []
    for recalled in recollection.memories:
        cost = tokens_of(teller.entry(recalled)) + tokens_of(recalled.memory.date) + 2
        if cost <= left:
            left -= cost
            entered.append(recalled)
        else:
            dropped.append(recalled.memory.id)
    sections = {
        "overall_history": history,
        "overall_personality": personality,
        "memories": teller.by_date(entered),
    }
    return Composed(
        sections={name: words for name, words in sections.items() if words},
        used=tuple(Used(it.memory.id, it.score, it.parts) for it in entered),
        dropped=tuple(dropped),
        dates=", ".join(sorted({it.memory.date for it in entered})),
    )


def _within(overall: Overall | None, tokens: int) -> str:
    """The text, or as many of its sentences from the beginning as fit."""
    words = overall.text.strip() if overall else ""
    if tokens_of(words) <= tokens:
        return words
    kept = ""
    for sentence in sentences(words):
        longer = f"{kept} {sentence}".strip()
        if tokens_of(longer) > tokens:
            break
        kept = longer
    return kept


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells memories to a model: who said what, and when."""

    person: str
    companion: str
    language: Language
    now: datetime
    zone: ZoneInfo

    def by_date(self, recalled: Sequence[Recalled]) -> str:
        """The memories under their days, both in order."""
        in_order = sorted(recalled, key=lambda it: (it.memory.date, _place(it.memory)))
        blocks = []
        for day, found in groupby(in_order, key=lambda it: it.memory.date):
            heading = text("recall", "heading", self.language, date=day)
            blocks.append("\n".join([heading, *(self.entry(it) for it in found)]))
        return "\n\n".join(blocks)

    def entry(self, recalled: Recalled) -> str:
        """One memory, with its time as coarse as its age and a mark where it is dim."""
        memory = recalled.memory
        marks = [] if recalled.state == "vivid" else [text("recall", "dim", self.language)]
        day = date.fromisoformat(memory.date)
        if isinstance(memory, Turn):
            when = told_time(
                day,
                memory.time,
                now=self.now,
                zone=self.zone,
                language=self.language,
            )
            said = [(self.person, memory.query), (self.companion, memory.response)]
            lines = [
                text(
                    "recall",
                    "said",
                    self.language,
                    name=name,
                    words=with_days(words.strip(), day, self.language),
                )
                for name, words in said
                if words.strip()
            ]
            head = when if memory.time is not None else ""
        else:
            lines = [with_days(memory.text.strip(), day, self.language)]
            key = "insight" if isinstance(memory, Insight) else "summary"
            head = text("recall", key, self.language, companion=self.companion)
        label = " ".join([it for it in (head, *marks) if it])
        first = [text("recall", "label", self.language, label=label)] if label else []
        return "\n".join([*first, *lines])


def _place(memory: Memory) -> tuple[int, int]:
    """A day's summary first, then its turns in order, then what the companion thought of it."""
    if isinstance(memory, Turn):
        return (1, memory.position)
    return (2, memory.position) if isinstance(memory, Insight) else (0, 0)

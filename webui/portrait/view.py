"""The portrait as HTML: who somebody is in a picture, then line by line, each with its days."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from siliconfriend.control.listing import words_of
from siliconfriend.dialogue.excerpt import excerpt
from siliconfriend.dialogue.humanize import humanize_day
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.recall.planned import Planned
from siliconfriend.texts import Language

from ..cards.action_menu import menu
from ..words.labels import say
from ..words.markup import day_link, plain
from ..words.phrases import counted, tell
from .glance import Glance, Returning
from .mood_plot import mood_figure
from .open_questions import OpenQuestion
from .parts import (
    day_parts,
    fact_parts,
    insight_parts,
    linked_days,
    overall_parts,
    part_line,
)


@dataclass(frozen=True, slots=True)
class Portrait:
    """All that a portrait shows.

    Attributes:
        memory: whose.
        glance: what is counted in it.
        plans: what was told of days to come.
        questions: what is open.
        today: the person's day.
        language: of the labels.
    """

    memory: PersonMemory
    glance: Glance
    plans: tuple[Planned, ...]
    questions: Sequence[OpenQuestion]
    today: date
    language: Language

    def html(self) -> str:
        """Return it whole: at a glance, then the groups side by side, then the long texts folded."""
        by_group: dict[str, list[str]] = {}
        for group, part in fact_parts(self.memory):
            by_group.setdefault(group, []).append(part_line(part, self.today, self.language))
        facts = {name: by_group.get(name, []) for name in ("you", "relations", "us", "around")}
        promised = [*by_group.get("promises", []), *(self._plan(it) for it in self.plans)]
        groups = [
            self._group(say(f"known.{name}", self.language), lines) for name, lines in facts.items()
        ]
        return "".join(
            (
                self._at_a_glance(),
                '<div class="sf-portrait-groups">',
                self._names("names", self.glance.names),
                self._names("returning", self.glance.returning),
                self._group(tell("portrait.promises", self.language), promised),
                self._group(
                    tell("portrait.unsure", self.language),
                    [self._question(it) for it in self.questions],
                ),
                *groups,
                "</div>",
                self._texts(),
            )
        )

    def _at_a_glance(self) -> str:
        glance, language = self.glance, self.language
        told = [
            (
                tell("portrait.known_since", language),
                humanize_day(glance.since, self.today, language, alone=True),
            ),
            (tell("portrait.talked_on", language), counted("portrait.days", glance.days, language)),
            (
                tell("portrait.exchanged", language),
                counted("portrait.exchanges", glance.exchanges, language),
            ),
        ]
        if glance.last is not None:
            last = day_link(glance.last.isoformat(), self.today, language)
            named = plain(tell("portrait.last_talked", language))
            newest = f"<div><dt>{named}</dt><dd>{last}</dd></div>"
        else:
            newest = ""
        figures = "".join(
            f"<div><dt>{plain(name)}</dt><dd>{plain(value)}</dd></div>" for name, value in told
        )
        moods = ""
        if glance.moods:
            title = plain(tell("portrait.moods", language))
            moods = f"<h3>{title}</h3>{mood_figure(glance.moods, self.today, language)}"
        written = "".join(
            part_line(it, self.today, language)
            for it in overall_parts(self.memory, language)
            if it.id == "overall_personality" and it.provenance.made_by != OFFLINE
        )
        about = f'<ul class="sf-lines sf-about-you">{written}</ul>' if written else ""
        return f'<section class="sf-glance"><dl>{figures}{newest}</dl>{about}{moods}</section>'

    def _names(self, key: str, found: Sequence[Returning]) -> str:
        """Return names as buttons that open to their days; the more days, the larger."""
        most = max((len(it.days) for it in found), default=1)
        chips = [
            f'<li><details class="sf-chip" data-part="{plain(it.name)}" '
            f'style="--sf-share:{len(it.days) / most:.2f}"><summary>{plain(it.name)} '
            f"<small>{plain(counted('portrait.days', len(it.days), self.language))}</small>"
            f"</summary>{linked_days(list(it.days), self.today, self.language)}</details></li>"
            for it in found
        ]
        return self._group(tell(f"portrait.{key}", self.language), chips, "sf-chips")

    @staticmethod
    def _group(title: str, lines: Iterable[str], kind: str = "sf-lines") -> str:
        listed = "".join(lines)
        if not listed:
            return ""
        return f'<section><h3>{plain(title)}</h3><ul class="{kind}">{listed}</ul></section>'

    def _plan(self, plan: Planned) -> str:
        day = humanize_day(plan.first, self.today, self.language, alone=True)
        words = excerpt(words_of(plan.memory).partition("\n")[0], frozenset())
        return self._line(plan.memory, f"<b>{plain(day)}</b> {plain(words)}")

    def _question(self, question: OpenQuestion) -> str:
        return self._line(question.memory, plain(question.words))

    def _line(self, memory: Memory, words: str) -> str:
        acts = ["unpin" if memory.trace.pinned else "pin", "correct", "erase"]
        day = day_link(memory.date, self.today, self.language)
        return (
            f'<li data-memory="{memory.id}"><div><p>{words}</p><div class="sf-meta">{day}</div>'
            f"</div>{menu(acts, memory.id, words_of(memory), self.language)}</li>"
        )

    def _texts(self) -> str:
        """Return the long texts, folded: the story, how the last days were, its own thoughts."""
        language = self.language
        folded = [
            (part.id, part.title, [part_line(part, self.today, language)])
            for part in overall_parts(self.memory, language)
            if part.id != "overall_personality" or part.provenance.made_by == OFFLINE
        ]
        for key, parts in (
            ("thoughts", insight_parts(self.memory)),
            ("days", day_parts(self.memory, self.today, language)),
        ):
            lines = [part_line(part, self.today, language) for part in parts]
            folded.append((key, say(f"known.{key}", language), lines))
        return "".join(
            f'<details class="sf-story" data-part="{key}"><summary>{plain(title)}</summary>'
            f'<ul class="sf-lines">{"".join(lines)}</ul></details>'
            for key, title, lines in folded
            if lines
        )

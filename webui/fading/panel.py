"""The fading panel: how memories fade, when they were recalled, and what will be left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.control.listing import MemoryRow, memory_rows
from siliconfriend.control.policy_text import explanation, formula
from siliconfriend.errors import SiliconFriendError
from siliconfriend.forgetting.policy import HALF, ForgettingPolicy
from siliconfriend.forgetting.prospect import replay
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language

from ..backend import Backend
from ..privacy import PRIVATE, gr
from ..words.labels import Labels, say
from ..words.markup import day_name, plain, quiet
from ..words.phrases import tell
from .curve_marks import MOST_CURVES
from .curve_plot import Curve, Wording, drawing
from .words import legend, short_title

FARTHEST_DAYS = 730
MOST_CHOICES = 500
"""Memories to choose from: a browser is slow with a list of a life."""


def _told(policy: ForgettingPolicy, language: Language) -> str:
    """Return what the policy does, with its formula folded."""
    summary = plain(tell("fading.formula", language))
    return (
        f"{quiet(explanation(policy, language))}<details><summary>{summary}</summary>"
        f"{quiet(formula(policy, language))}</details>"
    )


class FadingPanel:
    """The panel, put into the page that is being built."""

    def __init__(self, backend: Backend, labels: Labels, person: Any, language: Any) -> None:
        self._backend = backend
        make = labels.make
        with gr.Row(elem_id="fading-choice"):
            self.which = make(
                gr.Dropdown,
                {"label": "which_memories"},
                choices=[],
                multiselect=True,
                max_choices=MOST_CURVES,
                elem_id="which-memories",
                scale=3,
                min_width=260,
            )
            self.days = make(
                gr.Slider,
                {"label": "days_ahead"},
                minimum=0,
                maximum=FARTHEST_DAYS,
                step=1,
                value=30,
                elem_id="days-ahead",
                scale=2,
                min_width=240,
            )
        plot = gr.HTML(elem_id="curves", apply_default_css=False)
        self.plot = labels.personal(plot, value="")
        self.policy = gr.HTML(elem_id="policy", apply_default_css=False)
        labels.personal(self.which, choices=[], value=[])
        self.outputs = [self.policy, self.which, self.plot]
        drawn = [person, language, self.which, self.days]
        gr.on([self.which.input, self.days.change], self.draw, drawn, [self.plot], **PRIVATE)
        self.inputs = drawn

    def show(
        self, person: str, language: Language, which: list[str], days: int, request: gr.Request
    ) -> tuple[str, Any, str]:
        """Return the policy in words, the memories to choose from, and the curves."""
        policy = self._backend.policy
        told = _told(policy, language)
        try:
            known = self._backend.known(person, request)
        except SiliconFriendError as error:
            return told, gr.skip(), quiet(error.message(language))
        if known is None:
            return told, gr.update(choices=[], value=[]), quiet(say("nobody_yet", language))
        memory = known[1]
        found = self._rows(memory)
        there = {row.memory.id for row in found}
        chosen = [it for it in which or [] if it in there] or examples(found)
        today = day_of(self._backend.now(memory), memory.profile.zone)
        offered = choices_of(found, chosen)
        choices = [(short_title(row, today, language), row.memory.id) for row in offered]
        if len(offered) < len(found):
            told += quiet(say("choices_cut", language, count=len(offered)))
        update = gr.update(choices=choices, value=chosen)
        return told, update, self._drawing(memory, found, chosen, days, language)

    def draw(
        self, person: str, language: Language, which: list[str], days: int, request: gr.Request
    ) -> str:
        """Return the curves of the chosen memories, up to so many days ahead."""
        try:
            known = self._backend.known(person, request)
        except SiliconFriendError as error:
            return quiet(error.message(language))
        if known is None:
            return quiet(say("nobody_yet", language))
        return self._drawing(known[1], self._rows(known[1]), which or [], days, language)

    def _rows(self, memory: PersonMemory) -> list[MemoryRow]:
        return list(memory_rows(memory, self._backend.policy, self._backend.now(memory)))

    def _drawing(
        self,
        memory: PersonMemory,
        found: list[MemoryRow],
        chosen: Sequence[str],
        days: int,
        language: Language,
    ) -> str:
        by_id = {row.memory.id: row for row in found}
        shown = [by_id[it] for it in chosen if it in by_id]
        now, zone = self._backend.now(memory), memory.profile.zone
        if not self._backend.policy.has_curve:
            told = quiet(say("no_curve", language))
            return told + legend(shown, day_of(now, zone), language)
        days = max(0, min(int(days), FARTHEST_DAYS))
        then, today = now + timedelta(days=days), day_of(now, zone)
        curves = [_curve(row, then, today, language) for row in shown]
        wording = Wording(
            name=tell("fading.chart", language),
            now=say("now", language),
            then=say("in_days", language, days=days),
            day=lambda moment: day_name(day_of(moment, zone).isoformat(), today, language),
        )
        counts = say("left_then", language, days=days, **states_at(found, then, memory))
        about = say("curves_about" if shown else "curves_none", language)
        return (
            f'<p data-left="1"><b>{plain(counts)}</b></p><div class="sf-curves"><div>'
            f"{drawing(curves, now, then, wording)}"
            f'<p class="sf-readout sf-quiet">{plain(about)}</p></div>'
            f"{legend(shown, today, language)}</div>"
        )


def _curve(row: MemoryRow, then: datetime, today: date, language: Language) -> Curve:
    """Return the curve of a memory up to a moment; none where the policy has no curve."""
    trace, unit = row.memory.trace, row.prospect.unit_days
    points = [] if unit is None else replay(trace, then, unit)
    recalls = [it for it in trace.recalls if it <= then]
    return Curve(short_title(row, today, language), points, recalls)


def states_at(found: Sequence[MemoryRow], then: datetime, memory: PersonMemory) -> dict[str, int]:
    """Count the memories by their state at a moment, if nothing is recalled until then."""
    day = day_of(then, memory.profile.zone)
    states: Counter[str] = Counter()
    for row in found:
        outlook = row.prospect
        if outlook.state == "archived" or (outlook.archived_on and outlook.archived_on <= day):
            states["archived"] += 1
        elif outlook.dims_on and outlook.dims_on <= day:
            states["faded"] += 1
        else:
            states["vivid"] += 1
    return {name: states[name] for name in ("vivid", "faded", "archived")}


def choices_of(found: Sequence[MemoryRow], chosen: Sequence[str]) -> list[MemoryRow]:
    """Return the memories to choose from, newest first.

    Of very many, those outside the archive and those that are chosen already.
    """
    if len(found) <= MOST_CHOICES:
        return list(reversed(found))
    alive = [row for row in found if row.prospect.state != "archived"][-MOST_CHOICES:]
    kept = {*chosen, *(row.memory.id for row in alive)}
    return [row for row in reversed(found) if row.memory.id in kept]


def examples(found: Sequence[MemoryRow]) -> list[str]:
    """Return ids of a few memories that show the curve: the most recalled, the oldest, one dim.

    The archive is left out: its curves end long ago and would press the others together.
    """
    found = [row for row in found if row.prospect.state != "archived"] or found
    if not found:
        return []
    recalled = max(found, key=lambda row: len(row.memory.trace.recalls))
    kept = [1.0 if row.prospect.retention is None else row.prospect.retention for row in found]
    dim = [row for row, share in zip(found, kept, strict=True) if share < HALF]
    return list(dict.fromkeys(it.memory.id for it in (recalled, found[0], *dim[-1:])))

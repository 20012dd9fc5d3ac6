"""The fading panel: how memories fade, when they were recalled, and what will be left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.control.listing import MemoryRow, memory_rows, words_of
from siliconfriend.control.policy_text import explanation, formula
from siliconfriend.errors import SiliconFriendError
from siliconfriend.forgetting.policy import HALF
from siliconfriend.forgetting.prospect import replay
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language

from .backend import Backend
from .curve_plot import COLOURS, READ_AT_POINTER, Curve, colour_of, drawing
from .labels import Labels, say
from .markup import day_name, plain, quiet
from .memory_actions import PRIVATE
from .privacy import gr

FARTHEST_DAYS = 730
TITLE = 48
MOST_CHOICES = 500
"""Memories to choose from: a browser is slow with a list of a life."""


class FadingPanel:
    """The panel, put into the page that is being built."""

    def __init__(self, backend: Backend, labels: Labels, person: Any, language: Any) -> None:
        self._backend = backend
        make = labels.make
        self.policy = gr.HTML(elem_id="policy")
        self.which = make(
            gr.Dropdown,
            {"label": "which_memories"},
            choices=[],
            multiselect=True,
            max_choices=len(COLOURS),
            elem_id="which-memories",
        )
        self.days = make(
            gr.Slider,
            {"label": "days_ahead"},
            minimum=0,
            maximum=FARTHEST_DAYS,
            step=1,
            value=30,
            elem_id="days-ahead",
        )
        plot = gr.HTML(js_on_load=READ_AT_POINTER, elem_id="curves")
        self.plot = labels.personal(plot, value="")
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
        told = quiet(explanation(policy, language)) + quiet(formula(policy, language))
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
        choices = [
            (f"{day_name(row.memory.date, today, language)} · {_short(row)}", row.memory.id)
            for row in offered
        ]
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
            return told + "".join(legend(shown, day_of(now, zone), language))
        days = max(0, min(int(days), FARTHEST_DAYS))
        then = now + timedelta(days=days)
        curves = []
        for row in shown:
            title = _title(row, day_of(now, zone), language)
            trace, unit = row.memory.trace, row.prospect.unit_days
            points = [] if unit is None else replay(trace, then, unit)
            curves.append(Curve(title, points, [it for it in trace.recalls if it <= then]))
        drawn = drawing(
            curves,
            now,
            then,
            now_label=say("now", language),
            then_label=say("in_days", language, days=days),
            day_label=lambda moment: day_name(
                day_of(moment, zone).isoformat(), day_of(now, zone), language
            ),
        )
        left = states_at(found, then, memory)
        counts = say("left_then", language, days=days, **left)
        named = "".join(legend(shown, day_of(now, zone), language))
        about = say("curves_about" if shown else "curves_none", language)
        return (
            f'<p data-left="1"><b>{plain(counts)}</b></p>{drawn}'
            f'<p class="sf-readout sf-quiet">{plain(about)}</p>{named}'
        )


def legend(shown: Sequence[MemoryRow], today: date, language: Language) -> Iterator[str]:
    """Yield each memory in words, in the colour of its curve, with its strength."""
    for number, row in enumerate(shown):
        strength = say("strength", language, value=row.prospect.strength)
        yield (
            f'<p><b style="color:{colour_of(number)}">━</b> {plain(_title(row, today, language))} '
            f'<span class="sf-quiet">{plain(strength)}</span></p>'
        )


def _title(row: MemoryRow, today: date, language: Language) -> str:
    return f"{day_name(row.memory.date, today, language)}: {_short(row)}"


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


def _short(row: MemoryRow) -> str:
    words = " ".join(words_of(row.memory).split())
    return words if len(words) <= TITLE else words[: TITLE - 1] + "…"

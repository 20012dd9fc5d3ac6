"""The memories panel: every day with its summary and mood, to search, filter and correct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from siliconfriend.control.listing import MemoryRow, memory_rows
from siliconfriend.control.search import memories_with_words
from siliconfriend.errors import SiliconFriendError
from siliconfriend.forgetting.trace import KINDS
from siliconfriend.memory.records import PersonMemory, kind_of
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from .backend import Backend
from .cards import ON_CLICK, card
from .labels import Labels, say
from .markup import day_name, plain, quiet
from .memory_actions import PRIVATE, MemoryActions
from .privacy import gr

STATES = ("vivid", "faded", "archived")
SHOWN_DAYS = 14
FOUND = 30


class MemoriesPanel:
    """The panel, put into the page that is being built."""

    def __init__(self, backend: Backend, labels: Labels, person: Any, language: Any) -> None:
        self._backend = backend
        make = labels.make
        kinds = [("any", "")] + [(f"kinds.{it}", it) for it in KINDS]
        states = [("any", "")] + [(f"states.{it}", it) for it in STATES]
        with gr.Row():
            self.query = make(
                gr.Textbox,
                {"label": "search", "placeholder": "search_hint"},
                elem_id="search",
                scale=2,
                min_width=220,
            )
            self.kind = make(
                gr.Dropdown,
                {"label": "kind", "choices": kinds},
                value="",
                elem_id="kind",
                min_width=120,
            )
            self.state = make(
                gr.Dropdown,
                {"label": "state", "choices": states},
                value="",
                elem_id="state",
                min_width=120,
            )
        actions = MemoryActions(backend, labels, language, person, "memories-hand")
        self.cards = labels.personal(gr.HTML(js_on_load=ON_CLICK, elem_id="memories"), value="")
        self.days = gr.State(SHOWN_DAYS)
        self.more = make(gr.Button, {"value": "more_days"}, visible=False, elem_id="more-days")
        self.inputs = [person, language, self.query, self.kind, self.state, self.days]
        self.outputs = [self.cards, self.more]
        labels.personal(self.query, value="")
        labels.personal(self.more, visible=False)
        actions.listen([self.cards], self.show, self.inputs, self.outputs)
        changed = [self.query.submit, self.kind.change, self.state.change]
        gr.on(changed, self.show, self.inputs, self.outputs, **PRIVATE)
        self.more.click(lambda days: days + SHOWN_DAYS, [self.days], [self.days], **PRIVATE).then(
            self.show, self.inputs, self.outputs, **PRIVATE
        )

    def show(
        self,
        person: str,
        language: Language,
        query: str | None,
        kind: str,
        state: str,
        days: int,
        request: gr.Request,
    ) -> tuple[str, Any]:
        """Return the timeline, newest day first, or what a search found, best first."""
        no_more = gr.update(visible=False)
        try:
            known = self._backend.known(person, request)
            if known is None:
                return quiet(say("nobody_yet", language)), no_more
            scope, memory = known
            every = list(memory_rows(memory, self._backend.policy, self._backend.now(memory)))
            found = [
                row
                for row in every
                if kind in ("", kind_of(row.memory)) and state in ("", row.prospect.state)
            ]
            if query and query.strip():
                found = self._searched(scope, memory, query, found)[:FOUND]
                return self._list(memory, found, language), no_more
            shown, is_more = self._timeline(memory, found, language, days)
            return counted(every, language) + shown, gr.update(visible=is_more)
        except SiliconFriendError as error:
            return quiet(error.message(language)), no_more

    def _searched(
        self, scope: Scope, memory: PersonMemory, query: str, found: list[MemoryRow]
    ) -> list[MemoryRow]:
        """Return rows that contain the words first, then those that recall finds by meaning."""
        holds = [record.id for record in memories_with_words(memory, query)]
        recalled = self._backend.recaller.recall(
            scope, query, now=self._backend.now(memory), top=FOUND
        )
        order = [*holds, *(it.memory.id for it in recalled.memories)]
        by_id = {row.memory.id: row for row in found}
        return [by_id[it] for it in dict.fromkeys(order) if it in by_id]

    def _list(self, memory: PersonMemory, found: list[MemoryRow], language: Language) -> str:
        today = self._backend.now(memory).astimezone(memory.profile.zone).date()
        if not found:
            return quiet(say("none_found", language))
        return "".join(card(row, today, language, dated=True) for row in found)

    def _timeline(
        self, memory: PersonMemory, found: list[MemoryRow], language: Language, days: int
    ) -> tuple[str, bool]:
        """Return the newest days as HTML, and whether there are earlier ones."""
        today = self._backend.now(memory).astimezone(memory.profile.zone).date()
        by_day: dict[str, list[MemoryRow]] = {}
        for row in found:
            by_day.setdefault(row.memory.date, []).append(row)
        shown = []
        for date in sorted(by_day, reverse=True)[:days]:
            personality = memory.days[date].personality
            mood = "" if personality is None else personality.mood or personality.text
            shown.append(f'<h3 class="sf-day">{plain(day_name(date, today, language))}</h3>')
            if mood:
                shown.append(quiet(say("mood", language, mood=mood)))
            ordered = sorted(by_day[date], key=lambda row: kind_of(row.memory) == "turn")
            shown.append("".join(card(row, today, language) for row in ordered))
        return "".join(shown) or quiet(say("none_found", language)), len(by_day) > days


def counted(every: Sequence[MemoryRow], language: Language) -> str:
    """Return HTML that counts the memories by state."""
    states: Counter[str] = Counter(row.prospect.state for row in every)
    numbers = {it: states[it] for it in STATES}
    return quiet(say("counted", language, all=len(every), **numbers))

"""The night panel: one's own night, now, with what it is doing; a look without doing; the last ones."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.night.night_state import open_night_state
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.run import run_night
from siliconfriend.texts import Language

from ..backend import Backend
from ..privacy import PRIVATE, gr
from ..words.labels import Labels, say
from ..words.markup import quiet
from .story import Report, story_card

SHOWN_REPORTS = 5
NIGHTS_AT_ONCE = 2
"""Nights that run at once on this server; more wait their turn."""


class NightPanel:
    """The panel, put into the page that is being built."""

    def __init__(self, backend: Backend, labels: Labels, person: Any, language: Any) -> None:
        self._backend = backend
        make = labels.make
        self.about = make(gr.Markdown, {"value": "night_about"})
        self.today = make(gr.Checkbox, {"label": "night_today"}, elem_id="night-today")
        self.large = make(gr.Checkbox, {"label": "night_large"}, elem_id="night-large")
        for box in (self.today, self.large):
            labels.personal(box, value=False)
        with gr.Row():
            run = make(gr.Button, {"value": "night_run"}, variant="primary", elem_id="night-run")
            dry = make(gr.Button, {"value": "night_dry"}, elem_id="night-dry")
        self.progress = labels.transient(
            gr.HTML(elem_id="night-progress", apply_default_css=False), value=""
        )
        self.title = make(gr.Markdown, {"value": "night_reports"})
        self.reports = labels.personal(
            gr.HTML(elem_id="night-reports", apply_default_css=False), value=""
        )
        self.inputs = [person, language]
        self.outputs = [self.reports]
        given = [person, language, self.today, self.large]
        limit = {**PRIVATE, "concurrency_limit": NIGHTS_AT_ONCE, "concurrency_id": "night"}
        run.click(self._run, given, [self.progress], **limit).then(
            self.show, self.inputs, self.outputs, **PRIVATE
        )
        dry.click(self._dry, given, [self.progress], **limit)

    def show(self, person: str, language: Language, request: gr.Request) -> str:
        """Return the last reports, of this person alone."""
        try:
            known = self._backend.known(person, request)
            kept = self._kept(known[0]) if known else []
        except SiliconFriendError as error:
            return quiet(error.message(language))
        if known is None or not kept:
            return quiet(say("no_reports", language))
        return "".join(self._card(it, known[1], language) for it in kept)

    def _kept(self, scope: Scope) -> list[Report]:
        reports = open_night_state(self._backend.runtime).reports
        return list(reports.of(scope, SHOWN_REPORTS))

    def _card(self, report: Report, memory: PersonMemory, language: Language) -> str:
        zone = memory.profile.zone
        return story_card(report, zone, day_of(self._backend.now(memory), zone), language)

    def _run(
        self, person: str, language: Language, today: bool, large: bool, request: gr.Request
    ) -> Iterator[str]:
        options = NightOptions(today=today, allow_large=large)
        yield from self._night(person, language, options, request)

    def _dry(
        self, person: str, language: Language, today: bool, large: bool, request: gr.Request
    ) -> Iterator[str]:
        options = NightOptions(today=today, allow_large=large, dry_run=True)
        yield from self._night(person, language, options, request)

    def _night(
        self, person: str, language: Language, asked: NightOptions, request: gr.Request
    ) -> Iterator[str]:
        """Run the night in a thread of its own; its progress comes through a queue."""
        known = self._backend.known(person, request)
        if known is None:
            yield quiet(say("nobody_yet", language))
            return
        told: queue.Queue[tuple[str, int, int] | None] = queue.Queue()
        outcome: list[str] = []

        def work() -> None:
            try:
                outcome.append(self._report(known, language, asked, told))
            except SiliconFriendError as error:
                outcome.append(quiet(error.message(language)))
            finally:
                told.put(None)

        yield quiet(say("night_begins", language))
        threading.Thread(target=work, daemon=True).start()
        while (step := told.get()) is not None:
            what, done, total = step
            yield quiet(say("night_step", language, what=what, done=done, total=total))
        yield outcome[0] if outcome else quiet(say("night_broken", language))

    def _report(
        self,
        known: tuple[Scope, PersonMemory],
        language: Language,
        asked: NightOptions,
        told: queue.Queue[tuple[str, int, int] | None],
    ) -> str:
        report = run_night(
            self._backend.runtime,
            asked,
            users=[known[0].person],
            progress=lambda what, done, total: told.put((what, done, total)),
        )
        if not asked.dry_run:
            return quiet(say("night_over", language))  # its story stands first of the last nights
        return self._card(report.to_json(), known[1], language)

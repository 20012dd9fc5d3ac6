"""The portrait panel: what the companion thinks of the person, on what evidence, to be corrected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.control.edit import correct_text
from siliconfriend.control.portrait import grouped_facts
from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.identity import parse_memory_id
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language

from .backend import Backend
from .cards import ON_CLICK, buttons
from .labels import Labels, say
from .markup import day_name, plain, quiet
from .memory_actions import PRIVATE
from .privacy import gr

NEWEST_DAYS = 10
MOST_NAMED = 12
"""Days that are named at once; of more, their number, which opens to the list."""


@dataclass(frozen=True, slots=True)
class Part:
    """One text of the portrait: its id, title, words, what it was made from, and its group."""

    id: str
    title: str
    words: str
    provenance: Provenance
    group: str = ""


def parts(memory: PersonMemory, today: date, language: Language) -> Iterator[Part]:
    """Yield the texts over all days, the facts, the insights, then the newest days."""
    for name, overall in (
        ("overall_history", memory.overall_history),
        ("overall_personality", memory.overall_personality),
    ):
        if overall is not None and overall.text:
            yield Part(name, say(name, language), overall.text, overall.provenance)
    for group, fact in grouped_facts(memory):
        title = fact.entity if group == "around" else fact.key_word
        yield Part(fact.id, title, fact.text, fact.provenance, say(f"known.{group}", language))
    thoughts = say("known.thoughts", language)
    for insight in memory.insights():
        title = say("insight_of", language, day=day_name(insight.date, today, language))
        yield Part(insight.id, title, insight.text, insight.provenance, thoughts)
    days = [day for day in memory.days.values() if day.personality is not None]
    for day in list(reversed(days))[:NEWEST_DAYS]:
        if day.personality is not None:
            title = say("day_of", language, day=day_name(day.date, today, language))
            own = day.personality
            group = say("known.days", language)
            yield Part(f"personality-{day.date}", title, own.text, own.provenance, group)


def rests_on(provenance: Provenance, today: date, language: Language) -> str:
    """Return the days that a text rests on as HTML; empty where there are none."""
    found = set()
    for identifier in provenance.from_ids:
        place = parse_memory_id(identifier)
        found.add(place.date if place else identifier.removeprefix("personality-"))
    days = [day_name(it, today, language) for it in sorted(found) if it[:4].isdigit()]
    if not days:
        return ""
    named = quiet(say("rests_on", language, days=say("comma", language).join(days)))
    if len(days) <= MOST_NAMED:
        return named
    many = say("rests_on_many", language, count=len(days), first=days[0], last=days[-1])
    return f'<details class="sf-quiet"><summary>{plain(many)}</summary>{named}</details>'


def made_by(provenance: Provenance, language: Language) -> str:
    """Return who wrote a text, in words."""
    if provenance.made_by in ("person", "offline", "import"):
        return say(f"made_by.{provenance.made_by}", language)
    return say("made_by.model", language, model=provenance.made_by)


def part_card(part: Part, today: date, language: Language) -> str:
    """Return a text of the portrait as HTML, with its origin and the button that corrects it."""
    origin = rests_on(part.provenance, today, language)
    writer = quiet(made_by(part.provenance, language))
    return (
        f'<div class="sf-card" data-part="{plain(part.id)}">{_title(part)}'
        f"<p>{plain(part.words)}</p>{origin}{writer}"
        f'<div class="sf-acts">{buttons(["correct"], part.id, language)}</div></div>'
    )


def _title(part: Part) -> str:
    return f"<h4>{plain(part.title)}</h4>" if part.title else ""


def in_groups(found: Sequence[Part], today: date, language: Language) -> str:
    """Return the cards of all texts, with a heading before each group."""
    shown, last = [], ""
    for part in found:
        if part.group != last:
            shown.append(f"<h3>{plain(part.group)}</h3>")
            last = part.group
        shown.append(part_card(part, today, language))
    return "".join(shown)


class PortraitPanel:
    """The panel, put into the page that is being built.

    Attributes:
        inputs, outputs: of :meth:`show`.
    """

    def __init__(self, backend: Backend, labels: Labels, person: Any, language: Any) -> None:
        self._backend = backend
        make, transient = labels.make, labels.transient
        self.which = gr.State("")
        self.notice = transient(
            gr.HTML(elem_id="portrait-notice", elem_classes="sf-done"), value=""
        )
        self.box = transient(gr.Group(visible=False, elem_classes="sf-ask"), visible=False)
        with self.box:
            self.title = gr.HTML(elem_id="portrait-title", padding=True)
            self.words = make(
                gr.Textbox, {"label": "right_words"}, lines=4, max_lines=10, elem_id="right-words"
            )
            with gr.Row():
                save = make(
                    gr.Button, {"value": "save"}, variant="primary", elem_id="portrait-save"
                )
                cancel = make(gr.Button, {"value": "cancel"}, elem_id="portrait-cancel")
        self.shown = labels.personal(gr.HTML(js_on_load=ON_CLICK, elem_id="portrait"), value="")
        self.inputs = [person, language]
        self.outputs = [self.shown]
        given = [self.which, person, language]
        opened = [self.which, self.box, self.title, self.words, self.notice]
        self.shown.click(self._open, [person, language], opened, **PRIVATE)
        save.click(self._correct, [self.words, *given], [self.notice, self.box], **PRIVATE).then(
            self.show, self.inputs, self.outputs, **PRIVATE
        )
        cancel.click(lambda: gr.update(visible=False), None, [self.box], **PRIVATE)

    def _parts(
        self, person: str, language: Language, request: gr.Request
    ) -> tuple[list[Part], date | None]:
        known = self._backend.known(person, request)
        if known is None:
            return [], None
        today = day_of(self._backend.now(known[1]), known[1].profile.zone)
        return list(parts(known[1], today, language)), today

    def show(self, person: str, language: Language, request: gr.Request) -> str:
        """Return every text with the days it rests on."""
        try:
            found, today = self._parts(person, language, request)
        except SiliconFriendError as error:
            return quiet(error.message(language))
        if not found or today is None:
            return quiet(say("no_portrait", language))
        return in_groups(found, today, language)

    def _open(
        self, person: str, language: Language, event: gr.EventData, request: gr.Request
    ) -> tuple[Any, ...]:
        data = event._data if isinstance(event._data, dict) else {}
        try:
            found, _ = self._parts(person, language, request)
        except SiliconFriendError as error:
            return gr.skip(), gr.skip(), gr.skip(), gr.skip(), quiet(error.message(language))
        part = next((it for it in found if it.id == data.get("id")), None)
        if part is None:
            return (gr.skip(),) * 5
        return part.id, gr.update(visible=True), _title(part), part.words, ""

    def _correct(
        self, words: str, which: str, person: str, language: Language, request: gr.Request
    ) -> tuple[str, Any]:
        known = self._backend.known(person, request)
        if known is None or not which:
            return quiet(say("nobody_yet", language)), gr.update(visible=False)
        scope, memory = known
        try:
            correct_text(self._backend.store, scope, which, words, self._backend.now(memory))
        except SiliconFriendError as error:
            return quiet(error.message(language)), gr.skip()
        return quiet(say("corrected", language)), gr.update(visible=False)

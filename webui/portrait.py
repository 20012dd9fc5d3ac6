"""The portrait panel: what the companion thinks of the person, what from, and putting it right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from siliconfriend.control.correcting import correct
from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.identity import place_of
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import Language

from .cards import day_name, plain, quiet
from .friends import Friends
from .hand import PRIVATE
from .labels import Labels, say
from .privacy import gr

NEWEST_DAYS = 10


@dataclass(frozen=True, slots=True)
class Part:
    """One text of the portrait: its id, title, words and what it was made from."""

    id: str
    title: str
    words: str
    provenance: Provenance


def parts(memory: PersonMemory, today: date, language: Language) -> Iterator[Part]:
    """The texts over all days, the companion's thoughts, then the newest days."""
    for name, overall in (
        ("overall_history", memory.overall_history),
        ("overall_personality", memory.overall_personality),
    ):
        if overall is not None and overall.text:
            yield Part(name, say(name, language), overall.text, overall.provenance)
    for insight in memory.insights():
        title = say("insight_of", language, day=day_name(insight.date, today, language))
        yield Part(insight.id, title, insight.text, insight.provenance)
    days = [day for day in memory.days.values() if day.personality is not None]
    for day in list(reversed(days))[:NEWEST_DAYS]:
        if day.personality is not None:
            title = say("day_of", language, day=day_name(day.date, today, language))
            own = day.personality
            yield Part(f"personality-{day.date}", title, own.text, own.provenance)


def rests_on(provenance: Provenance, today: date, language: Language) -> str:
    """The days a text rests on."""
    found = set()
    for identifier in provenance.from_ids:
        place = place_of(identifier)
        found.add(place.date if place else identifier.removeprefix("personality-"))
    days = [day_name(it, today, language) for it in sorted(found) if it[:4].isdigit()]
    if not days:
        return ""
    return say("rests_on", language, days=say("comma", language).join(days))


class PortraitPanel:
    """The panel, put into the page that is being built."""

    def __init__(self, friends: Friends, labels: Labels, person: Any, language: Any) -> None:
        self._friends = friends
        make = labels.make
        self.shown = gr.HTML(elem_id="portrait")
        self.which = make(gr.Dropdown, {"label": "which_part"}, choices=[], elem_id="which")
        self.words = make(gr.Textbox, {"label": "right_words"}, lines=4, elem_id="right-words")
        self.save = make(gr.Button, {"value": "save"}, elem_id="portrait-save")
        self.notice = gr.HTML(elem_id="portrait-notice")
        self.inputs = [person, language]
        self.outputs = [self.shown, self.which]
        given = [self.which, person, language]
        self.which.select(self._open, given, [self.words], **PRIVATE)
        self.save.click(self._correct, [self.words, *given], [self.notice], **PRIVATE).then(
            self.show, self.inputs, self.outputs, **PRIVATE
        )

    def _parts(self, person: str, language: Language, request: gr.Request) -> list[Part]:
        known = self._friends.known(person, request)
        if known is None:
            return []
        memory = known[1]
        today = self._friends.now(memory).astimezone(memory.profile.zone).date()
        return list(parts(memory, today, language))

    def show(self, person: str, language: Language, request: gr.Request) -> tuple[str, Any]:
        """Every text with the days it rests on, and the list to choose one from."""
        try:
            found = self._parts(person, language, request)
        except SiliconFriendError as error:
            return quiet(error.message(language)), gr.skip()
        if not found:
            return quiet(say("no_portrait", language)), gr.update(choices=[], value=None)
        now = self._friends.clock.now(self._friends.settings.zone)
        today = now.astimezone(self._friends.settings.zone).date()
        shown = "".join(
            f'<div class="sf-card" data-part="{plain(it.id)}"><h4>{plain(it.title)}</h4>'
            f"<p>{plain(it.words)}</p>{quiet(rests_on(it.provenance, today, language))}"
            f"{quiet(self._maker(it.provenance, language))}</div>"
            for it in found
        )
        return shown, gr.update(choices=[(it.title, it.id) for it in found])

    @staticmethod
    def _maker(provenance: Provenance, language: Language) -> str:
        if provenance.made_by in ("person", "offline", "import"):
            return say(f"made_by.{provenance.made_by}", language)
        return say("made_by.model", language, model=provenance.made_by)

    def _open(self, which: str | None, person: str, language: Language, request: gr.Request) -> str:
        found = self._parts(person, language, request)
        return next((it.words for it in found if it.id == which), "")

    def _correct(
        self, words: str, which: str | None, person: str, language: Language, request: gr.Request
    ) -> str:
        known = self._friends.known(person, request)
        if known is None or not which:
            return quiet(say("choose_first", language))
        scope, memory = known
        try:
            correct(self._friends.store, scope, which, words, self._friends.now(memory))
        except SiliconFriendError as error:
            return quiet(error.message(language))
        return quiet(say("corrected", language))

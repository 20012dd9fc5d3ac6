"""The portrait panel: a place that ``static/portrait/portrait.js`` fills from the routes of the memories."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from siliconfriend.errors import SiliconFriendError
from siliconfriend.lore.companions import speaking_as
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.planned import Planned
from siliconfriend.texts import Language

from ..backend import Backend
from ..look.places import place
from ..words.labels import Labels
from .glance import Glances
from .open_questions import open_questions
from .view import Portrait

PLANS_AHEAD = timedelta(days=365)
MOST_PLANS = 8


class PortraitPanel:
    """The panel, put into the page that is being built.

    Attributes:
        show, inputs, outputs: nothing, since the page's own script asks for what is shown.
    """

    show = None

    def __init__(self, _backend: Backend, _labels: Labels, _person: Any, _language: Any) -> None:
        place("portrait")
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []


def portrait_of(
    backend: Backend,
    glances: Glances,
    scope: Scope,
    memory: PersonMemory,
    language: Language,
    *,
    ahead: bool = True,
) -> Portrait:
    """Put a portrait together.

    Args:
        backend: of the page.
        glances: those that were looked at last.
        scope: whose portrait it is.
        memory: what is remembered of them.
        language: of the labels.
        ahead: with the plans, which are read from the index; of a long memory that is read for
            the first time it takes seconds until there is one.
    """
    now = backend.now(memory)
    today = now.astimezone(memory.profile.zone).date()
    companion = speaking_as(
        backend.runtime_of(scope).settings, memory.profile.language
    ).companion_name
    plans: tuple[Planned, ...] = ()
    # A reply says so when an embedder or an index cannot be opened; the rest can be shown. It
    # can be shown too while an import of years is still being read.
    with suppress(SiliconFriendError):
        if ahead and backend.recaller.indexing_progress(scope) is None:
            plans = backend.recaller.planned(scope, today, today + PLANS_AHEAD)[:MOST_PLANS]
    questions = open_questions(memory, backend.policy, now, companion, language)
    return Portrait(memory, glances.at(scope, memory, companion), plans, questions, today, language)

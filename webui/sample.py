"""Read-only view of the sample person's four months of memory."""

from datetime import timedelta
from functools import cache
from typing import Any

from siliconfriend.person.companions import read_sample, shift_dates
from siliconfriend.texts import Language

from .backend import Visit
from .components import ViewEvent, sheet, shown


def view(visit: Visit, _event: ViewEvent) -> dict[str, Any]:
    """Show the dialog."""
    name, person = _sample(visit.language)
    person = shift_dates(person, visit.now.date() - timedelta(days=1))
    body = visit.draw("sample.html", name=name, person=person)
    return shown(sheet=sheet(visit, "sample", "", visit.say("sample.title", name=name), body))


_sample = cache(read_sample)


def sample_name(language: Language) -> str:
    """Return the name of the sample person of a language."""
    return _sample(language)[0]

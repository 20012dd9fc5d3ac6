"""Read-only view of the sample person's four months of memory."""

from datetime import timedelta
from functools import cache
from typing import Any

from siliconfriend.person.companions import read_sample, shift_dates
from siliconfriend.texts import Language

from .backend import Visit
from .components import ViewEvent, shown


def view(visit: Visit, _event: ViewEvent) -> dict[str, Any]:
    """Show the dialog."""
    name, person = _sample(visit.language)
    person = shift_dates(person, visit.now.date() - timedelta(days=1))
    return shown(sheet=visit.draw("sample.html", name=name, person=person))


_sample = cache(read_sample)


def sample_name(language: Language) -> str:
    """Return the name of the sample person of a language."""
    return _sample(language)[0]

"""Read-only view of the sample person's four months of memory."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import Any

from siliconfriend.person.companions import read_sample, shift_dates
from siliconfriend.texts import Language

from .backend import Visit
from .components import Event, sheet, shown
from .words import plain, quiet


def view(visit: Visit, _event: Event) -> dict[str, Any]:
    """Show the dialog."""
    name, person = _sample(visit.language)
    person = shift_dates(person, visit.now.date() - timedelta(days=1))
    days = "".join(_day(visit, iso, person) for iso in sorted(person["history"], reverse=True))
    about = quiet(visit.say("sample.about", name=name))
    body = f'{about}<div class="sf-sample" tabindex="0" role="group" aria-label="{plain(name)}">{days}</div>'
    return shown(sheet=sheet(visit, "sample", "", visit.say("sample.title", name=name), body))


_sample = cache(read_sample)


def sample_name(language: Language) -> str:
    """Return the name of the sample person of a language."""
    return _sample(language)[0]


def _day(visit: Visit, iso: str, person: dict[str, Any]) -> str:
    summary = person.get("summary", {}).get(iso)
    told = summary.get("content", "") if isinstance(summary, dict) else summary or ""
    lines = "".join(
        f'<p class="user">{plain(turn["query"])}</p><p class="bot">{plain(turn["response"])}</p>'
        for turn in person["history"][iso]
    )
    return (
        f'<section class="sf-day"><h3>{plain(visit.day_title(iso))}</h3>'
        f"{told and quiet(told)}{lines}</section>"
    )

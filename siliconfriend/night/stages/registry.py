"""The one list of what a night does, in order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from siliconfriend.errors import UsageError
from siliconfriend.night.person_night import PersonNight
from siliconfriend.night.stages import (
    extract,
    forget,
    index,
    portrait,
    reflect,
    summarise,
    tidy,
    topics,
)

RUNS: Mapping[str, Callable[[PersonNight], None]] = {
    tidy.NAME: tidy.run,
    summarise.NAME: summarise.run,
    portrait.NAME: portrait.run,
    extract.NAME: extract.run,
    topics.NAME: topics.run,
    reflect.NAME: reflect.run,
    forget.NAME: forget.run,
    index.NAME: index.run,
}
"""What each stage does for one person, in the order in which stages run."""
REPORT = "report"
"""Saves the report of the whole night; without it the next night could not tell what is new."""
STAGES = (*RUNS, REPORT)
"""The names of all stages, in order."""

_IMPLIED: Mapping[str, tuple[str, ...]] = {forget.NAME: (index.NAME,)}
"""What is archived must leave the index too."""


def select_stages(names: Collection[str]) -> tuple[str, ...]:
    """The stages to run, in order: those named, what they imply and ``report``; all without a name.

    Raises:
        UsageError: there is no such stage.
    """
    if not names:
        return STAGES
    for name in names:
        if name not in STAGES:
            raise UsageError("stage_unknown", name=name, known=", ".join(STAGES))
    implied = {stage for name in names for stage in _IMPLIED.get(name, ())}
    selected = {*names, *implied, REPORT}
    return tuple(stage for stage in STAGES if stage in selected)

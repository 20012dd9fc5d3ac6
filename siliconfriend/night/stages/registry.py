"""The stages of a night in order; the two that only keep things tidy are here too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial

from siliconfriend.control.opt_out import unkept_ids
from siliconfriend.errors import ModelError, UsageError
from siliconfriend.night.person_night import PersonNight
from siliconfriend.night.stages import extract, forget, portrait, reflect, summarise, topics

TIDY, INDEX = "tidy", "index"


def _tidy(night: PersonNight) -> None:
    ids = unkept_ids(night.store.load(night.scope))
    done = 0
    if ids and not night.options.dry_run:
        night.runtime.eraser.erase(night.scope, ids)
        done = len(ids)
    night.report.count(TIDY, due=len(ids), done=done)


def _index(night: PersonNight) -> None:
    embedded = 0
    if not night.options.dry_run:
        try:
            told = partial(night.progress, f"{night.scope.person}: {INDEX}")
            embedded = night.recaller.rebuild_index(night.scope, told)
            night.recaller.learn_associations(night.scope)
        except ModelError as error:
            night.fail(INDEX, error)
    night.report.count(INDEX, due=embedded, done=embedded)


RUNS: Mapping[str, Callable[[PersonNight], None]] = {
    TIDY: _tidy,
    summarise.NAME: summarise.run,
    portrait.NAME: portrait.run,
    extract.NAME: extract.run,
    topics.NAME: topics.run,
    reflect.NAME: reflect.run,
    forget.NAME: forget.run,
    INDEX: _index,
}
"""Function of each stage for one person, in order."""
REPORT = "report"
"""Saves the report of the whole night; without it the next night could not tell what is new."""
STAGES = (*RUNS, REPORT)
"""The names of all stages, in order."""

_IMPLIED: Mapping[str, tuple[str, ...]] = {forget.NAME: (INDEX,)}
"""Stages that other stages require."""


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

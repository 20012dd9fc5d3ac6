"""The steps of a night, by name and in their order.

A step reads what the steps before it wrote through the store and nothing else, so each
can be run alone and a night that was killed goes on where the memory says it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, get_args

from siliconfriend.errors import UsageError

Stage = Literal[
    "tidy", "summarise", "portrait", "extract", "topics", "reflect", "forget", "index", "report"
]
STAGES: tuple[Stage, ...] = get_args(Stage)
"""All there are, in the order they run."""

Outcome = Literal["done", "nothing", "planned", "pending", "failed"]
"""How a step ended for a person: it did something, had nothing to do, would do something
(a dry run), left something for the next night, or failed."""

_IMPLIED: dict[Stage, tuple[Stage, ...]] = {"forget": ("index",)}
"""What is archived must leave the index too."""


def chosen(names: Collection[str] | None) -> tuple[Stage, ...]:
    """The steps to run, in order: those named and what they imply, or all for None.

    ``report`` always runs: without it the next night could not tell what is new.

    Raises:
        UsageError: there is no such step.
    """
    if names is None:
        return STAGES
    for name in names:
        if name not in STAGES:
            raise UsageError("stage_unknown", name=name, known=", ".join(STAGES))
    implied: Iterable[Stage] = (it for name, its in _IMPLIED.items() if name in names for it in its)
    wanted = {*names, *implied, "report"}
    return tuple(stage for stage in STAGES if stage in wanted)

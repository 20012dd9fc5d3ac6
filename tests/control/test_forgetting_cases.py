"""Changing, putting away and erasing, by what a program calls: ten kinds of traps, in two languages."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from siliconfriend import MemoryBank
from siliconfriend.config import Settings
from siliconfriend.person import Person
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.testing import MovingClock

CASES = tomllib.loads(
    (Path(__file__).parents[1] / "data/forgetting.toml").read_text(encoding="utf-8")
)["case"]


@pytest.fixture(scope="module")
def embedder() -> CachedEmbedder:
    """The bundled embedder."""
    return CachedEmbedder(BundledEmbedder())


def _act(person: Person, case: Mapping[str, Any]) -> None:
    match case["act"]:
        case "edit":
            for words in filter(None, (case["new"], case.get("again"))):
                first = person.recall(case["about"]).memories[0].memory
                person.edit(first.id, query=words)
        case "forget":
            found = person.recall(case["about"]).memories
            person.forget(*(one.memory.id for one in found if one.is_likely))
        case "erase":
            person.erase(*(row.memory.id for row in person.matching(case["about"])))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}: {case['about']}")
def test_what_is_gone_stays_gone_and_all_else_is_there(
    settings: Settings, clock: MovingClock, embedder: CachedEmbedder, case: Mapping[str, Any]
) -> None:
    with MemoryBank(settings=settings, clock=clock, embedder=embedder) as bank:
        person = bank.person("Ada")
        for day, said in enumerate(case["tell"], 1):
            person.add(said, at=f"2026-03-{day:02d}T19:00")
        _act(person, case)
        found = "\n".join(recalled.memory.text for recalled in person.recall(case["ask"]).memories)
    assert [words for words in case["gone"] if words in found] == []
    assert [words for words in case["kept"] if words not in found] == []

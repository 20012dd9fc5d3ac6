"""The sample people: lives with what a model's nights wrote of them, which nights by rules leave."""

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.language.sentences import sentences_within
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.scope import Scope
from siliconfriend.models.tokens import PORTRAIT_TOKENS, estimate_tokens
from siliconfriend.night.run import run_night
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.memory.temporary import TemporaryStore

SAMPLES = Path(__file__).parents[1] / "memories" / "samples"
PEOPLE = {"maya.json": "Maya", "lin-xiao.json": "林晓"}


def _person(file: str) -> dict[str, Any]:
    bank = json.loads((SAMPLES / file).read_text(encoding="utf-8"))
    assert list(bank) == [PEOPLE[file]]
    person: dict[str, Any] = bank[PEOPLE[file]]
    return person


@pytest.mark.parametrize("file", PEOPLE)
def test_a_sample_has_what_a_model_s_night_writes(file: str) -> None:
    """A summary and a personality of each day and both texts of the portrait, short enough to stand."""
    person = _person(file)
    assert person["name"] == person["meta_information"]["name"] == PEOPLE[file]
    assert list(person["summary"]) == list(person["personality"]) == list(person["history"])
    for name in ("overall_history", "overall_personality"):
        assert sentences_within(person[name], PORTRAIT_TOKENS, estimate_tokens) == person[name]
    for day in person["history"].values():
        for turn in day:
            assert set(turn) == {"query", "response"}
            assert all(words == words.strip() != "" for words in turn.values())


@pytest.mark.parametrize("file", PEOPLE)
def test_a_night_by_rules_leaves_what_was_written(
    file: str, clock: MovingClock, settings: Settings
) -> None:
    """Also after new days, whose own texts it writes."""
    store, zone = TemporaryStore(), ZoneInfo("UTC")
    import_bank(store, (SAMPLES / file).read_bytes(), language="en", zone=zone, now=clock.now(zone))
    scope = Scope.of(PEOPLE[file])
    before = store.load(scope)
    with Companion(PEOPLE[file], runtime=Runtime(settings, clock, store=store)) as friend:
        friend.reply("The tram was late again today, and I walked along the river.")
    clock.move(days=1)
    run_night(Runtime(settings, clock, store=store))
    after = store.load(scope)
    assert after.overall_history == before.overall_history is not None
    assert after.overall_personality == before.overall_personality is not None
    for at, day in before.days.items():
        assert day.summary is not None
        summary = after.days[at].summary
        assert summary is not None
        assert summary.text == day.summary.text

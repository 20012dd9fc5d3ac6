"""The sample people: lives that a demo can shift to end yesterday and that still read true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.prompt import PORTRAIT_SHARE
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import InMemoryStore
from siliconfriend.models.tokens import sentences_within
from siliconfriend.night.run import run_night
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock

SAMPLES = Path(__file__).parents[1] / "memories" / "samples"
PEOPLE = {"maya.json": "Maya", "lin-xiao.json": "林晓"}

TIED_TO_A_CALENDAR = {
    # words that come out false once every date has moved by the same number of days
    "maya.json": re.compile(
        r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|weekends?|January|February|March"
        r"|April|May|June|July|August|September|October|November|December"
        r"|[Ss]pring|[Ss]ummer|[Aa]utumn|[Ww]inter|Christmas|Easter|New Year)\b"
    ),
    "lin-xiao.json": re.compile(
        r"(?:周|星期|礼拜)[一二三四五六日天末]|[0-9一二三四五六七八九十]月|月[初底末]"
        r"|[春夏秋冬]|[今明去]年|春节|中秋|端午|清明|国庆|元旦|过年"
    ),
}


def _person(file: str) -> dict[str, Any]:
    bank = json.loads((SAMPLES / file).read_text(encoding="utf-8"))
    assert list(bank) == [PEOPLE[file]]
    person: dict[str, Any] = bank[PEOPLE[file]]
    return person


def _said(person: dict[str, Any]) -> list[str]:
    said = [words for day in person["history"].values() for turn in day for words in turn.values()]
    made = [it["content"] for key in ("summary", "personality") for it in person[key].values()]
    return [*said, *made, person["overall_history"], person["overall_personality"]]


@pytest.mark.parametrize("file", PEOPLE)
def test_a_sample_has_what_a_model_s_night_writes(file: str) -> None:
    """A summary and a personality of each day and both texts of the portrait, short enough to stand."""
    person = _person(file)
    assert person["name"] == person["meta_information"]["name"] == PEOPLE[file]
    assert list(person["summary"]) == list(person["personality"]) == list(person["history"])
    for name in ("overall_history", "overall_personality"):
        assert sentences_within(person[name], int(1500 * PORTRAIT_SHARE)) == person[name]
    for day in person["history"].values():
        for turn in day:
            assert set(turn) == {"query", "response"}
            assert all(words == words.strip() != "" for words in turn.values())


@pytest.mark.parametrize("file", PEOPLE)
def test_a_night_by_rules_leaves_what_was_written(
    file: str, clock: MovingClock, settings: Settings
) -> None:
    """Also after new days, whose own texts it writes."""
    store, zone = InMemoryStore(), ZoneInfo("UTC")
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


@pytest.mark.parametrize("file", PEOPLE)
def test_a_sample_stays_true_when_its_dates_move(file: str) -> None:
    """No weekday, month, season or holiday is named: they would be false on other dates."""
    for words in _said(_person(file)):
        assert not TIED_TO_A_CALENDAR[file].search(words), words

"""The sample people: lives that a demo can shift to end yesterday and that still read true."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.memory.import_export import export_memorybank, import_bank
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.scope import Scope
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
    return [words for day in person["history"].values() for turn in day for words in turn.values()]


def test_the_folder_holds_one_person_of_each_language() -> None:
    """There are the two, the companions and nothing else, under names any file system can hold."""
    assert sorted(path.name for path in SAMPLES.iterdir()) == sorted((*PEOPLE, "companions"))


@pytest.mark.parametrize("file", PEOPLE)
def test_a_sample_has_the_fields_of_memorybank(file: str) -> None:
    """A sample is a MemoryBank file as it is before its first night: nothing derived yet."""
    person = _person(file)
    assert set(person) == {
        "name",
        "summary",
        "personality",
        "overall_history",
        "history",
        "meta_information",
    }
    assert person["name"] == person["meta_information"]["name"] == PEOPLE[file]
    assert not person["summary"]
    assert not person["personality"]
    assert not person["overall_history"]
    for day in person["history"].values():
        for turn in day:
            assert set(turn) == {"query", "response"}
            assert all(words == words.strip() != "" for words in turn.values())


@pytest.mark.parametrize("file", PEOPLE)
def test_a_sample_is_a_dozen_days_over_four_months(file: str) -> None:
    """Days stand in order, five to nine turns each, and reach past the day a turn is archived."""
    history = _person(file)["history"]
    days = [date.fromisoformat(day) for day in history]
    assert days == sorted(days)
    assert 12 <= len(days) <= 15
    assert 110 <= (days[-1] - days[0]).days <= 125
    assert all(5 <= len(day) <= 9 for day in history.values())


@pytest.mark.parametrize("file", PEOPLE)
def test_a_sample_stays_true_when_its_dates_move(file: str) -> None:
    """No weekday, month, season or holiday is named: they would be false on other dates."""
    for words in _said(_person(file)):
        assert not TIED_TO_A_CALENDAR[file].search(words), words


def test_the_calendar_words_are_noticed() -> None:
    """The check above sees what it looks for, and no more."""
    english, chinese = TIED_TO_A_CALENDAR["maya.json"], TIED_TO_A_CALENDAR["lin-xiao.json"]
    assert english.search("until Friday")
    assert english.search("in May")
    assert not english.search("You may march on")
    assert chinese.search("下周三见")
    assert chinese.search("五月的事")
    assert not chinese.search("干了三个月，歇一个礼拜")


@pytest.mark.parametrize(
    ("file", "word", "day"),
    [
        ("maya.json", "otters sharing a crab", "2026-04-26"),
        ("maya.json", "Porto, not Lisbon", "2026-05-04"),
        ("maya.json", "84, Charing Cross Road", "2026-03-02"),
        ("lin-xiao.json", "倒扣着一条旧木渡船", "2026-05-10"),
        ("lin-xiao.json", "不是纱厂，是缫丝厂", "2026-04-11"),
        ("lin-xiao.json", "浅表性胃炎", "2026-04-02"),
    ],
)
def test_what_guides_ask_about_was_said_on_that_day(file: str, word: str, day: str) -> None:
    """The things that the README and the demo ask about are first said on one known day."""
    history = _person(file)["history"]
    days = [
        date for date, turns in history.items() if word in json.dumps(turns, ensure_ascii=False)
    ]
    assert days[0] == day


def test_a_promise_is_kept_the_next_time() -> None:
    """The companions ask first about what they promised to ask about."""
    assert "what did the doctor say" in _person("maya.json")["history"]["2026-03-28"][0]["response"]
    assert "胃镜结果" in _person("lin-xiao.json")["history"]["2026-04-02"][0]["response"]


@pytest.mark.parametrize("file", PEOPLE)
def test_a_sample_goes_in_whole_and_comes_out_equal(file: str, clock: MovingClock) -> None:
    """Every turn is imported, a second import adds none, and the export says the same words."""
    store = InMemoryStore()
    bank = (SAMPLES / file).read_bytes()
    zone = ZoneInfo("UTC")
    there: dict[str, Any] = {"language": "en", "zone": zone, "now": clock.now(zone)}
    first, again = import_bank(store, bank, **there), import_bank(store, bank, **there)
    person = _person(file)
    assert first.turns == sum(map(len, person["history"].values()))
    assert again.turns == 0
    out = export_memorybank(store.load(Scope.of(PEOPLE[file])))[PEOPLE[file]]
    assert out["meta_information"] == person["meta_information"]
    said = {
        day: [{"query": turn["query"], "response": turn["response"]} for turn in turns]
        for day, turns in out["history"].items()
    }
    assert said == person["history"]

"""The portrait's facts: in their groups, with the days they rest on, each to be put right."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from siliconfriend.control.edit import correct_text
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.creation import new_profile
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Fact, Insight
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language
from tests.memory.stored import put, say
from webui.portrait import in_groups, parts

NORA = Scope.of("Nora")
DAY = "2026-03-02"
SAID = datetime(2026, 3, 2, 12, tzinfo=UTC)
TODAY = date(2026, 3, 4)
HEADINGS: dict[Language, list[str]] = {
    "en": [
        *("What I know of you", "You and others", "You and me", "People and things around you"),
        *("What I promised or recommended", "What I think"),
    ],
    "cn": ["我知道的你", "你和别人", "你和我", "你身边的人和事", "我答应过、推荐过的", "我的想法"],
}


@pytest.fixture
def store() -> InMemoryStore:
    """Nora, of whom a few things are known, one of them no more and one put away."""
    store = InMemoryStore()
    store.create(NORA, new_profile(NORA, language="en", timezone="UTC", now=SAID))
    say(store, "I row.", NORA, now=SAID)
    facts = [
        _fact(0, "I will ask <b>about</b> the race.", entity_type="subject", aspect="promise"),
        _fact(1, "Anna likes figs.", entity="Anna", entity_type="specific"),
        _fact(2, "Nora is Anna's sister.", aspect="relation"),
        _fact(3, "Nora rows.", key_word="rowing"),
        _fact(4, "I call Nora captain.", entity_type="subject", aspect="relation"),
        _fact(5, "Nora swims.", superseded_by="fact-x"),
        replace(_fact(6, "Nora sails."), trace=Trace(SAID).archived_at(SAID)),
    ]
    insight = Insight(
        id=memory_id(NORA, "insight", DAY, 0),
        date=DAY,
        position=0,
        text="She rests by moving.",
        trace=Trace(SAID),
        provenance=facts[0].provenance,
    )
    put(store, NORA, *(PutDerived(it) for it in (*facts, insight)))
    return store


def _fact(number: int, text: str, **more: Any) -> Fact:
    known: dict[str, Any] = {"entity": "Nora", "entity_type": "object", "aspect": "attribute"}
    return Fact(
        id=memory_id(NORA, "fact", DAY, number),
        date=DAY,
        position=number,
        text=text,
        trace=Trace(SAID),
        provenance=Provenance("offline", SAID, (memory_id(NORA, "turn", DAY, 0),)),
        last=DAY,
        **(known | more),
    )


def _shown(store: InMemoryStore, language: Language = "en") -> str:
    return in_groups(list(parts(store.load(NORA), TODAY, language)), TODAY, language)


@pytest.mark.parametrize("language", HEADINGS)
def test_facts_stand_in_their_groups(store: InMemoryStore, language: Language) -> None:
    """In the order of the prompt, under a heading each; history and the archive are not shown."""
    shown = _shown(store, language)
    assert re.findall("<h3>(.*?)</h3>", shown) == HEADINGS[language]
    words = re.findall("<p>(.*?)</p>", shown)
    assert words == [
        "Nora rows.",
        "Nora is Anna&#x27;s sister.",
        "I call Nora captain.",
        "Anna likes figs.",
        "I will ask &lt;b&gt;about&lt;/b&gt; the race.",
        "She rests by moving.",
    ]
    assert "<h4>Anna</h4>" in shown
    assert "<h4>rowing</h4>" in shown


def test_each_says_what_it_rests_on_and_can_be_put_right(store: InMemoryStore) -> None:
    """The day is named; the words a person gives stand there as their own."""
    shown = _shown(store)
    assert shown.count("Rests on: ") == shown.count('data-act="correct"') == 6
    assert "2 March" in shown
    correct_text(store, NORA, memory_id(NORA, "fact", DAY, 3), "Nora rows at dawn.", SAID)
    after = _shown(store)
    assert "<p>Nora rows at dawn.</p>" in after
    assert "In your own words." in after

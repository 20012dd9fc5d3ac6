"""One thing is one card: what was made of a line hangs on it, in the order it was said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from siliconfriend.control.listing import MemoryRow, day_rows
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutSummary, PutTurn, apply_all
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Event, Fact, Topic
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory, kind_of
from siliconfriend.texts import Language
from tests.memory.people import NORA, a_profile, a_summary, a_turn
from webui.cards.things import things_of
from webui.memories.timeline import MemoryFilter, Timeline

DAY = "2026-03-05"
SAID = datetime(2026, 3, 5, 12, tzinfo=UTC)
NOW = datetime(2026, 3, 6, 9, tzinfo=UTC)
POLICY = ForgettingPolicy.named("companion")
BEANS, RACE, FIGS = "I planted beans.", "I won the race on the lake.", "Anna likes figs."


def made(
    kind: type[Event | Fact | Topic], number: int, text: str, lines: Sequence[int]
) -> Event | Fact | Topic:
    """What was made of some lines of the day."""
    name = kind.__name__.lower()
    sources = tuple(memory_id(NORA, "turn", DAY, it) for it in lines)
    more = {"entity": "Anna", "entity_type": "specific", "aspect": "attribute"}
    return kind(
        id=memory_id(NORA, name, DAY, number),
        date=DAY,
        position=number,
        text=text,
        trace=Trace(SAID),
        provenance=Provenance("offline", SAID, sources),
        **(more if kind is Fact else {}),
    )


@pytest.fixture
def memory() -> PersonMemory:
    """Three lines, the second said first in the file; an event, a fact, two topics, a summary."""
    lines = [
        a_turn(words, "Good.", day=DAY, position=it) for it, words in enumerate((BEANS, RACE, FIGS))
    ]
    lines[1] = replace(lines[1], time=SAID)
    return apply_all(
        PersonMemory(a_profile()),
        [
            *(PutTurn(lines[it]) for it in (2, 0, 1)),
            PutDerived(made(Event, 0, RACE, [1])),
            PutDerived(made(Fact, 0, "Anna is fond of figs.", [2])),
            PutDerived(made(Topic, 0, "The race on the lake, and beans.", [0, 1, 2])),
            PutDerived(made(Topic, 1, "Something said on another day.", [])),
            PutSummary(DAY, a_summary(f"Nora said: “{RACE}”", day=DAY)),
        ],
    )


def rows(memory: PersonMemory) -> list[MemoryRow]:
    """The rows of the day."""
    return list(day_rows(memory, memory.days[DAY], POLICY, NOW))


def timeline(memory: PersonMemory, language: Language = "en") -> Timeline:
    """The timeline on the day after."""
    return Timeline(memory, POLICY, NOW, language)


def test_what_rests_on_a_line_hangs_on_it(memory: PersonMemory) -> None:
    """In the order it was said; of several lines it hangs on the one it is most alike."""
    found = things_of(rows(memory))
    assert found.summary is not None
    assert [
        (it.row.memory.id, [kind_of(made.memory) for made in it.hanging]) for it in found.things
    ] == [
        (memory_id(NORA, "turn", DAY, 0), []),
        (memory_id(NORA, "turn", DAY, 1), ["event", "topic"]),
        (memory_id(NORA, "turn", DAY, 2), ["fact"]),
        (memory_id(NORA, "topic", DAY, 1), []),
    ]


def test_the_same_sentence_stands_once(memory: PersonMemory) -> None:
    """What an event says in a line's own words is not said again; other words are."""
    shown = timeline(memory).day(DAY, MemoryFilter())
    paragraphs = re.findall(r"<p[^>]*>(.*?)</p>", shown)
    assert paragraphs.count(RACE) == 1
    assert "Anna is fond of figs." in paragraphs
    assert shown.count('<article class="sf-card') == 4


def test_every_memory_keeps_its_own_actions(memory: PersonMemory) -> None:
    """Also what has no card of its own: each id stands once, with one button for its menu."""
    shown = timeline(memory).day(DAY, MemoryFilter())
    ids = re.findall('data-memory="(.*?)"', shown)
    assert sorted(ids) == sorted(it.memory.id for it in rows(memory))
    assert shown.count('aria-haspopup="menu"') == len(ids)
    assert f'href="#/chat?line={memory_id(NORA, "turn", DAY, 1)}"' in shown


def test_a_filter_shows_what_it_lets_through_alone(memory: PersonMemory) -> None:
    """An event whose line is not shown has a card of its own; a day with nothing is empty."""
    events = timeline(memory).day(DAY, MemoryFilter(kind="event"))
    assert re.findall('data-memory="(.*?)"', events) == [memory_id(NORA, "event", DAY, 0)]
    assert f"<p>{RACE}</p>" in events
    assert timeline(memory).day(DAY, MemoryFilter(kind="insight")) == ""
    assert timeline(memory).day("2026-03-04", MemoryFilter()) == ""


@pytest.mark.parametrize(("language", "words"), [("en", "vivid, 98%"), ("cn", "清晰 98%")])
def test_a_card_fades_and_says_how_far(
    memory: PersonMemory, language: Language, words: str
) -> None:
    """After 21 of 43.3 x 24 hours e^(-21 / 1039) = 0.98 is left, for the eye and in words."""
    shown = timeline(memory, language).day(DAY, MemoryFilter(kind="turn"))
    assert 'style="--sf-retention:0.98"' in shown
    assert words in shown


def test_words_of_a_person_are_never_part_of_the_page(memory: PersonMemory) -> None:
    """Nor in the name of a menu."""
    harmful = PutTurn(a_turn("<img src=x onerror=alert(1)>\" '", "</p>", day=DAY, position=3))
    shown = timeline(harmful.apply(memory)).day(DAY, MemoryFilter())
    assert "<img" not in shown
    assert date(2026, 3, 6) == timeline(memory).today

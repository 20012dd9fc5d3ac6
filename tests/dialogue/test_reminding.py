"""A remark is answered by what it strongly brings to mind, in words that suit it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.offline import reply_offline
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.wording import Wordings
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.results import Recalled
from siliconfriend.texts import LANGUAGES, Language, area
from tests.dialogue.people import SCOPES, empty, holds, judged, recalled, turn

TODAY = date(2026, 3, 14)
TOLD: dict[Language, tuple[str, ...]] = {
    "en": (
        "My grandmother's clock stopped at noon.",
        "Our clock tower has new bells, and I am so happy!",
        "My uncle died under the clock at the station.",
        "What time does the clock show?",
    ),
    "cn": (
        "外婆的座钟中午停了。",
        "钟楼换了新的座钟，我特别开心！",
        "舅舅去世那天，座钟也停了。",
        "座钟现在几点了？",
    ),
}
CLOCK, BELLS, DEATH, ASKED = range(4)
REMARK: dict[Language, dict[str, str]] = {
    "en": {
        "plain": "The clock is ticking again.",
        "bright": "I am so happy, the clock ticks!",
        "heavy": "I feel so sad when I hear the clock.",
    },
    "cn": {
        "plain": "座钟又走起来了。",
        "bright": "座钟修好了，我特别开心！",
        "heavy": "一听到座钟响，我就很难过。",
    },
}


def _memory(language: Language) -> PersonMemory:
    told = enumerate(TOLD[language])
    scope = SCOPES[language]
    turns = [turn(scope, f"2026-03-0{day + 1}T12:00", words, "I see.") for day, words in told]
    return apply_all(empty(language), [PutTurn(it) for it in turns])


def _reply(
    language: Language,
    said: str,
    *numbers: int,
    earlier: tuple[Exchange, ...] = (),
    number: int = 0,
) -> str:
    memory = _memory(language)
    found = recalled(memory, *numbers)
    context = ReplyContext(said, memory, found, TODAY, number, "Robin", earlier=earlier)
    return "".join(reply_offline(context).pieces(language))


def _brings_up(language: Language, reply: str) -> bool:
    return any(holds(reply, words) for words in TOLD[language])


def _wordings(language: Language, key: str) -> list[str]:
    found: list[str] = area("dialogue", language)["offline"][key]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_remark_is_answered_with_the_day_and_words_of_a_memory(language: Language) -> None:
    """And the memory counts as used."""
    said = REMARK[language]["plain"]
    reply = _reply(language, said, CLOCK)
    assert holds(reply, TOLD[language][CLOCK])
    assert {"en": "on 1 March", "cn": "3月1日"}[language] in reply
    memory = _memory(language)
    context = ReplyContext(said, memory, recalled(memory, CLOCK), TODAY, 0, "Robin")
    assert [it.id for it in reply_offline(context).used] == [next(iter(memory.turns())).id]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_only_touches_it_is_not_brought_up(language: Language) -> None:
    """What is unlikely to be meant is left alone; so is what was only asked."""
    memory, said = _memory(language), REMARK[language]["plain"]
    found = recalled(memory, CLOCK)
    context = ReplyContext(said, memory, found, TODAY, 0, "Robin", judged=judged(found, 0.4))
    assert reply_offline(context).sentences[0] in _wordings(language, "kept")
    assert not _brings_up(language, _reply(language, said, ASKED))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_another_companion_was_told_is_not_brought_up(language: Language) -> None:
    """Only what stands in this companion's own memory is."""
    memory = _memory(language)
    context = ReplyContext(
        REMARK[language]["plain"], empty(language), recalled(memory, CLOCK), TODAY, 0, "Robin"
    )
    reply = "".join(reply_offline(replace(context, memory=empty(language))).sentences)
    assert not _brings_up(language, reply)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sad_is_not_answered_by_the_cheerful(language: Language) -> None:
    """A heavy remark gets no bright memory, but a grave one may stand beside it."""
    heavy = REMARK[language]["heavy"]
    assert not _brings_up(language, _reply(language, heavy, BELLS))
    reply = _reply(language, heavy, BELLS, DEATH)
    assert holds(reply, TOLD[language][DEATH])
    heard = tuple(_wordings(language, "heard_heavy"))
    assert reply.startswith(heard)
    alone = {"en": "I feel so sad.", "cn": "心里很难过。"}[language]
    assert not _brings_up(language, _reply(language, alone, CLOCK))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_grave_is_not_dragged_into_the_glad(language: Language) -> None:
    """A bright remark leaves it alone; a plain one must be about it, and then speaks softly."""
    assert not _brings_up(language, _reply(language, REMARK[language]["bright"], DEATH))
    other = {"en": "I bought paint for the kitchen.", "cn": "我买了厨房的油漆。"}[language]
    assert not _brings_up(language, _reply(language, other, DEATH))
    reply = _reply(language, REMARK[language]["plain"], DEATH)
    assert holds(reply, TOLD[language][DEATH])
    soft = [it.split("{words}”")[1] for it in _wordings(language, "reminds_softly")]
    assert reply.endswith(tuple(soft))


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=40, deadline=None)
@given(
    found=st.lists(st.sampled_from([CLOCK, BELLS, DEATH]), min_size=1, max_size=3, unique=True),
    moods=st.lists(st.sampled_from(["plain", "bright", "heavy"]), min_size=2, max_size=7),
    number=st.integers(0, 50),
)
def test_never_twice_in_a_row_the_same(
    language: Language, found: list[int], moods: list[str], number: int
) -> None:
    """Neither the same memory nor the same sentence, nor a memory in every message."""
    earlier: tuple[Exchange, ...] = ()
    for at, mood in enumerate(moods):
        said = REMARK[language][mood]
        reply = _reply(language, said, *found, earlier=earlier, number=number + at)
        earlier = (*earlier, Exchange(said, reply))
    replies = [it.response for it in earlier]
    for before, after in pairwise(replies):
        assert not any(holds(before, it) and holds(after, it) for it in TOLD[language])
        forms = [re.sub("“[^”]*”", "“”", it) for it in (before, after)]
        assert forms[0] != forms[1]
    assert all(
        any(not _brings_up(language, reply) for reply in replies[at : at + 3])
        for at in range(len(replies) - 2)
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_wording_is_said_twice_in_a_row(language: Language) -> None:
    """Whatever the turn, the last reply's wording is passed over where there is another."""
    memory = _memory(language)
    context = ReplyContext("?", memory, (), TODAY, 0, "Robin")
    texts = area("dialogue", language)
    values = {"answer": "d", "due": "e", "years": 3, "count": "two", "whom": "f"}
    for key, wordings in (*texts["offline"].items(), *texts["woven"].items()):
        if len(wordings) < 2:
            continue
        values["words"] = (
            TOLD[language][CLOCK] if wordings in texts["woven"].values() else "a.b (c)?"
        )
        last = Wordings(context).say(key, "2026-03-01", **values)
        for number in range(4):
            after = replace(context, number=number, earlier=(Exchange("?", f"Well. {last}"),))
            assert Wordings(after).say(key, "2026-03-01", **values) != last


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_event_is_quoted_by_the_turn_it_was_taken_from(language: Language) -> None:
    """What the night noted offline is given back in the person's own words."""
    memory = _memory(language)
    source = next(iter(memory.turns()))
    event = Event(
        id="event-2026-03-01-0-00000000",
        date="2026-03-01",
        position=0,
        text=f"Note: {source.query}",
        trace=source.trace,
        provenance=Provenance("offline", source.trace.created, (source.id,)),
    )
    found = (Recalled(event, 1.0, {}, "vivid", 1.0, 0.9),)
    context = ReplyContext(REMARK[language]["plain"], memory, found, TODAY, 0, "Robin")
    reply = reply_offline(context)
    assert "Note" not in "".join(reply.sentences)
    assert [it.id for it in reply.used] == [source.id]

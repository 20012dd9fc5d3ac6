"""What was told later and changes a memory is found from it, whatever was asked."""

from __future__ import annotations

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language
from tests.dialogue.people import holds
from tests.memory.people import NORA
from tests.recall.people import NOW, a_recaller, remember, turns

TOLD: dict[Language, tuple[str, ...]] = {
    "en": (
        "We found a narrow house in Totnes. We get the keys on 19 June.",
        "Rain all day.",
        "The keys are put off to 3 July, there is no van.",
        "Are the keys put off?",
        "My cousin moved her piano to the attic.",
    ),
    "cn": (
        "我们在河边看中一套房子，六月十九号拿钥匙。",
        "下了一天雨。",
        "钥匙推迟到七月三号，因为没有搬家车。",
        "钥匙推迟了吗？",
        "表姐把钢琴挪到阁楼上了。",
    ),
}
ASKED: dict[Language, str] = {
    "en": "When do we get into the house?",
    "cn": "我们什么时候住进房子？",
}


@pytest.mark.parametrize("language", ["en", "cn"])
def test_what_changes_a_memory_is_its_sequel(language: Language) -> None:
    """Not what only asks, not what changes something else, and nothing that was told before."""
    store = InMemoryStore()
    told = turns((f"2026-03-0{1 + at}", said, "") for at, said in enumerate(TOLD[language]))
    remember(store, told)
    found = a_recaller(store, None).sequels(NORA, told, now=NOW)
    assert {key: [it.memory.id for it in several] for key, several in found.items()} == {
        told[0].id: [told[2].id]
    }
    (sequel,) = found[told[0].id]
    assert not sequel.is_relevant


@pytest.mark.parametrize("language", ["en", "cn"])
def test_a_reply_tells_what_became_of_it(
    language: Language, settings: Settings, clock: MovingClock
) -> None:
    """Also where the question shares no word with what changed it; and it stands in the prompt."""
    companion = Companion("Ada", runtime=Runtime(settings, clock))
    for words in TOLD[language][:3]:
        companion.reply(words)
        clock.move(days=1)
    clock.move(days=9)
    reply = Companion("Ada", runtime=Runtime(settings, clock)).reply(ASKED[language])
    assert holds(reply.text, TOLD[language][2])
    assert TOLD[language][2] in {getattr(it.memory, "query", "") for it in reply.recalled.memories}

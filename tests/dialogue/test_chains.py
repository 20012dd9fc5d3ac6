"""What was told later about a matter stands in the prompt behind what it changes."""

import pytest

from siliconfriend.dialogue.drafting import used_of
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import ReplyStyle
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.results import Recalled, RecallResult
from tests.memory.people import a_profile, a_turn
from tests.recall.people import NOW


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Leeds.", "The moving van left, Bristol smells of rain."),
        ("我住在成都。", "搬家车走了，杭州下着雨。"),
    ],
)
def test_an_old_value_does_not_stand_alone(old: str, new: str) -> None:
    """Also where the later turn is not recalled itself, and once where it is."""
    turns = [a_turn(words, "", day=f"2026-03-0{day}") for day, words in enumerate((old, new), 1)]
    other = a_turn("The kettle is blue.", "", day="2026-03-03")
    earlier, later, third = (Recalled(it, 1.0, {}, "vivid", 1.0, 1.0) for it in (*turns, other))
    message = IncomingMessage("Leeds?", NOW, PersonMemory(a_profile()), ReplyStyle())
    for memories in ((earlier, third), (earlier, third, later)):
        chains = {turns[0].id: (turns[1],)}
        found = Retrieved(RecallResult("Leeds?", "", NOW, memories, chains=chains))
        ids = [used.id for used in used_of(found, message)]
        assert ids == [turns[0].id, turns[1].id, other.id]

"""A lorebook's entry is told when its key is said, and kept away where its second keys say so."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.characters.companions import Companions
from siliconfriend.characters.entries import MOST_CALLED, BookKeys
from siliconfriend.characters.importing import import_companion, read_source
from siliconfriend.characters.lore import Lore
from siliconfriend.recall.cue import Utterance
from tests.characters import card_files as cards
from tests.characters.conftest import BEGINNING, NOW


def bring(companions: Companions, folder: Path, book: object) -> Lore:
    """A companion that has this lorebook."""
    source = read_source(cards.as_json(folder, book), ZoneInfo("UTC"))
    import_companion(companions, "Maud", source, BEGINNING)
    return Lore(companions.home, "Maud", None)


def told(lore: Lore, said: str, *before: str) -> list[str]:
    """The entries that are told, in their order."""
    talk = [Utterance(words) for words in before]
    found = lore.recall(said, now=NOW, talk=talk, language="en", person="Ada")
    return [it.memory.text for it in found.facts]


ROCK = "The lighthouse stands on Gannet Rock."
HORN = "Maud mended the foghorn with a kettle lid."
GULLS = "Gulls steal the bread."


def test_keys_bring_entries_constant_ones_first(companions: Companions, tmp_path: Path) -> None:
    """What is constant is always there; a key counts as a whole word, in any letters."""
    lore = bring(companions, tmp_path, cards.BOOK)
    assert told(lore, "Hm.") == [ROCK]
    assert told(lore, "That GULL again.") == [ROCK, GULLS]
    assert told(lore, "A gullible man.") == [ROCK]
    assert told(lore, "Hm.", "The gull!", "Yes?") == [ROCK, GULLS]
    assert told(lore, "Hm.", "The gull!", "Yes?", "Well.") == [ROCK]


def test_a_second_key_is_asked_for(companions: Companions, tmp_path: Path) -> None:
    """Without it the entry is away, however near its words are."""
    lore = bring(companions, tmp_path, cards.BOOK)
    assert HORN not in told(lore, "Who mended the foghorn with a kettle lid?")
    assert HORN in told(lore, "The horn is broken.")


def test_a_switched_off_entry_is_never_told(companions: Companions, tmp_path: Path) -> None:
    """Nor found by its words."""
    lore = bring(companions, tmp_path, cards.BOOK)
    assert told(lore, "Is there a treasure chest under the stairs?") == [ROCK]


def _keys(**form: Any) -> BookKeys:
    return BookKeys.parse({"keys": ["fog"], "secondary_keys": ["calm", "cold"], **form})


@pytest.mark.parametrize(
    ("logic", "called"),
    [
        (0, ["fog calm", "fog calm cold"]),
        (1, ["fog", "fog calm"]),
        (2, ["fog"]),
        (3, ["fog calm cold"]),
        (9, ["fog calm", "fog calm cold"]),
    ],
)
def test_second_keys_by_the_logic_of_world_info(logic: int, called: list[str]) -> None:
    """Any, not all, not any, all."""
    keys = _keys(extensions={"selectiveLogic": logic})
    said = ("fog", "fog calm", "fog calm cold")
    assert [talk for talk in said if keys.is_called(talk)] == called


def test_patterns_are_never_run_and_letters_can_count() -> None:
    """A pattern that would take an age does nothing at all."""
    assert not _keys(keys=["(a+)+$"], use_regex=True).is_called("a" * 40 + "b")
    assert not _keys(keys=["/fog/i"], selective=False).is_called("fog")
    assert not _keys(keys=["Fog"], selective=False, case_sensitive=True).is_called("fog")
    in_extensions = {"case_sensitive": True}
    assert not _keys(keys=["Fog"], selective=False, extensions=in_extensions).is_called("fog")
    assert _keys(keys=["雾号"], selective=False).is_called("那个雾号响了")
    assert BookKeys.parse({"keys": 3, "extensions": [], "insertion_order": "x"}) == BookKeys()


def test_keys_bring_no_more_than_a_reply_can_hold(companions: Companions, tmp_path: Path) -> None:
    """Of many that one word calls the first by their order."""
    entries = [
        {"keys": ["fog"], "content": f"Fog of day {number}.", "insertion_order": -number}
        for number in range(MOST_CALLED + 5)
    ]
    lore = bring(companions, tmp_path, {"entries": entries})
    found = told(lore, "fog")
    assert found[:2] == ["Fog of day 24.", "Fog of day 23."]
    assert len([it for it in found if it.startswith("Fog")]) <= MOST_CALLED + 10

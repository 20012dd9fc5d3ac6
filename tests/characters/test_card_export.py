"""A companion goes out as a V3 card with all it came with, and comes in again the same."""

from __future__ import annotations

import base64
import json
from io import BytesIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from PIL import Image

from siliconfriend.characters.cards.exporting import export_card
from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import CompanionFolder, Companions
from siliconfriend.characters.importing import import_companion, read_source
from siliconfriend.errors import UsageError
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.texts import Language
from tests.characters import card_files as cards
from tests.characters.conftest import BEGINNING, NOW, tell

UTC = ZoneInfo("UTC")


def bring(companions: Companions, path: Path, name: str = "Maud") -> None:
    """Import a file as a companion."""
    import_companion(companions, name, read_source(path, UTC), BEGINNING)


def written(
    companions: Companions,
    name: str = "Maud",
    language: Language = "en",
    *,
    in_picture: bool = False,
) -> bytes:
    """The companion as the file of a card."""
    return export_card(companions, name, language=language, now=NOW, in_picture=in_picture)


def take(companions: Companions, name: str = "Maud", language: Language = "en") -> dict[str, Any]:
    """The companion as a card."""
    card: dict[str, Any] = json.loads(written(companions, name, language))
    return card


@pytest.mark.parametrize("card", [cards.V3, cards.SILLYTAVERN])
def test_what_came_in_goes_out(
    companions: Companions, tmp_path: Path, card: dict[str, Any]
) -> None:
    """Every field, every entry, also those that have no place here; macros as they were."""
    bring(companions, cards.as_json(tmp_path, card))
    out = take(companions)
    assert (out["spec"], out["spec_version"]) == ("chara_card_v3", "3.0")
    data = out["data"]
    for field, value in card["data"].items():
        if field not in ("character_book", "assets"):
            assert data[field] == value, field
    book, before = data["character_book"], cards.BOOK
    assert {it: book[it] for it in before if it != "entries"} == {
        it: before[it] for it in before if it != "entries"
    }
    by_order = sorted(before["entries"], key=lambda it: it["insertion_order"])
    assert len(book["entries"]) == len(by_order)
    for entry, old in zip(book["entries"], by_order, strict=True):
        assert {it: entry[it] for it in old} == old
    assert data["assets"] == [{"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}]


def test_out_and_in_again_is_the_same_companion(companions: Companions, tmp_path: Path) -> None:
    """A second export is the first one to the byte."""
    bring(companions, cards.as_json(tmp_path, cards.V3))
    first = written(companions)
    (tmp_path / "again.json").write_bytes(first)
    bring(companions, tmp_path / "again.json", "Other")
    assert companions.character("Other").texts == companions.character("Maud").texts
    assert written(companions, "Other") == first


def test_what_was_changed_here_takes_the_place_of_the_card_s(
    companions: Companions, tmp_path: Path
) -> None:
    """A rewritten persona is the description; an entry added here has keys of its own."""
    bring(companions, cards.as_json(tmp_path, cards.V2))
    companions.edit("Maud", lambda it: it.with_texts("en", {"persona": "Sleepy."}))
    tell(companions, "Maud", FactDraft("Maud owns a barometer.", key_word="barometer"))
    data = take(companions)["data"]
    assert (data["description"], data["personality"], data["scenario"]) == ("Sleepy.", "", "")
    added = next(it for it in data["character_book"]["entries"] if "barometer" in it["content"])
    assert added["keys"] == ["barometer", "Maud"]
    assert (added["enabled"], added["use_regex"], added["constant"]) == (True, False, False)


def test_a_companion_of_ours_is_a_whole_card(companions: Companions) -> None:
    """Greeting, style and events have their places; each field that V3 asks for is there."""
    told = {"persona": "Patient.", "speaking_style": "Short words.", "greeting": "Hello {person}."}
    companions.create(Character("Wren").with_texts("en", told).with_texts("cn", {"called": "小鹪"}))
    tell(companions, "Wren", EventDraft("A storm came.", key_words=("storm",)))
    data = take(companions, "Wren")["data"]
    assert data["description"] == "Patient."
    assert data["personality"] == "Short words."
    assert (data["first_mes"], data["alternate_greetings"]) == ("Hello {{user}}.", [])
    assert data["mes_example"] == ""
    assert data["character_book"]["entries"][0]["keys"] == ["storm"]
    needed = {
        *("name", "description", "tags", "creator", "character_version", "mes_example"),
        *("extensions", "system_prompt", "post_history_instructions", "first_mes"),
        *("alternate_greetings", "personality", "scenario", "creator_notes"),
        "group_only_greetings",
    }
    assert needed <= data.keys()
    assert take(companions, "Wren", "cn")["data"]["nickname"] == "小鹪"


def test_the_picture_carries_the_card_for_old_programs_and_new(
    companions: Companions, tmp_path: Path
) -> None:
    """`ccv3` and `chara`; the picture comes in again as it was; without one it says so."""
    path = tmp_path / "card.png"
    path.write_bytes(cards.png(cards.text_chunk(b"chara", cards.V2)))
    bring(companions, path)
    _, picture = companions.card("Maud")
    data = written(companions, in_picture=True)
    texts = {
        name: json.loads(base64.b64decode(it))
        for name, it in Image.open(BytesIO(data)).text.items()
    }
    assert texts["ccv3"] == take(companions)
    assert texts["chara"]["spec"] == "chara_card_v2"
    assert texts["chara"]["data"] == texts["ccv3"]["data"]
    path.write_bytes(data)
    bring(companions, path, "Other")
    _, other = companions.card("Other")
    assert picture is not None
    assert other is not None
    assert other.read_bytes() == picture.read_bytes()
    companions.create(Character("Wren"))
    with pytest.raises(UsageError, match="has no PNG"):
        written(companions, "Wren", in_picture=True)


def test_a_folder_brings_card_and_picture_along(companions: Companions, tmp_path: Path) -> None:
    """A companion's folder carried to another home is the same companion."""
    path = tmp_path / "card.png"
    path.write_bytes(cards.png(cards.text_chunk(b"ccv3", cards.V3)))
    bring(companions, path)
    folder = CompanionFolder(companions.home, "Maud").path
    there = Companions(tmp_path / "elsewhere")
    bring(there, folder)
    assert take(there) == take(companions)
    assert there.card("Maud")[1] is not None

"""Cards and lorebooks of other programs become a companion, and go out again with all they came with."""

import base64
import json
from io import BytesIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngImageFile

from siliconfriend.characters import card_files as containers
from siliconfriend.characters.cards import CompanionSource, export_card
from siliconfriend.characters.character import Character, CharacterTexts
from siliconfriend.characters.companions import CompanionFolder, Companions
from siliconfriend.characters.importing import import_companion, read_source
from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.memory.drafts import EventDraft, FactDraft
from siliconfriend.texts import Language
from tests.characters import card_files as cards
from tests.characters.conftest import BEGINNING, NOW, tell

UTC = ZoneInfo("UTC")
PERSONA = (
    "{{char}} keeps a lighthouse and has never met {{user}} before.\n\n"
    "Personality: dry, kind\n\n"
    "The situation: <USER> knocks at the lighthouse in a storm."
)
STYLE = "<START>\n{{user}}: Is it lonely?\n{{char}}: Only on Tuesdays."
OTHERS = ("Again you, {{user}}?", "The tea is ready.")


def plain() -> bytes:
    """The picture of the cards as it is kept: drawn by Pillow, with nothing beside it."""
    written = BytesIO()
    with Image.open(BytesIO(cards.png())) as opened:
        opened.save(written, "PNG")
    return written.getvalue()


def read(folder: Path, content: object, name: str = "file") -> CompanionSource:
    """What a file holds: bytes as they are, anything else as JSON."""
    if not isinstance(content, bytes):
        return read_source(cards.as_json(folder, content), UTC)
    (folder / name).write_bytes(content)
    return read_source(folder / name, UTC)


def texts(source: CompanionSource) -> CharacterTexts:
    """The texts of the one language of a card."""
    assert source.character is not None
    (only,) = source.character.texts.values()
    return only


SHAPES: dict[str, Any] = {
    "V1 JSON": cards.V1,
    "Pygmalion JSON": cards.DATA["PYGMALION"],
    "V2 JSON": cards.V2,
    "SillyTavern JSON": cards.SILLYTAVERN,
    "V3 JSON": cards.V3,
    "V2 PNG": cards.png(cards.text_chunk(b"chara", cards.V2)),
    "V2 PNG with faults": cards.png(cards.faulty_chunk(b"chara", cards.V2)),
    "V2 PNG in capitals": cards.png(cards.text_chunk(b"Chara", cards.V2)),
    "V3 PNG beside V2": cards.png(
        cards.text_chunk(b"chara", {"name": "Old", "first_mes": "", "description": ""}),
        cards.text_chunk(b"ccv3", cards.V3),
    ),
    "iTXt PNG": cards.png(cards.packed_chunk(b"chara", cards.in_base64(cards.V2))),
    "charx": cards.charx(cards.V3, assets__icon__images__0_png=cards.png()),
    "charx behind a picture": b"\xff\xd8\xff\xe0 a picture" + cards.charx(cards.V3),
    "Chinese V3": cards.DATA["CHINESE"],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_card_of_any_maker_becomes_a_character(tmp_path: Path, shape: str) -> None:
    """Who it is, how it greets and how it speaks; the macros stand as they were written."""
    source = read(tmp_path, SHAPES[shape])
    found = texts(source)
    assert source.character is not None
    if shape == "Chinese V3":
        assert source.character.texts.keys() == {"cn"}
        assert found.persona == (
            "{{char}}守着一座灯塔，话不多。\n\n性格：安静\n\n情境：{{user}}在暴风雨里敲门。"
        )
        assert found.greetings == ("{{user}}，进来吧。", "又是你。")
        return
    assert found.called == "Maud"
    assert found.greeting == "*opens the door* Come in, {{user}}."
    assert found.speaking_style == STYLE
    assert "<USER> knocks" in found.persona
    has_book = shape not in ("V1 JSON", "Pygmalion JSON")
    if has_book:
        assert found.persona == PERSONA
        assert found.other_greetings == OTHERS
        assert [draft.text for draft in source.drafts] == [
            "{{char}} mended the foghorn with a kettle lid.",
            "The lighthouse stands on Gannet Rock.",
            "Gulls steal the bread.",
        ]
    assert source.character.name == (
        "Maud of Gannet Rock" if shape.startswith(("V3", "charx")) else "Maud"
    )


@pytest.mark.parametrize(
    ("book", "text", "title", "key_word"),
    [
        (cards.DATA["WORLD_INFO"], "The foghorn is older than the tower.", "foghorn", "foghorn"),
        (cards.DATA["NOVELAI"], "The tower has ninety steps.", "The tower", "steps"),
        (cards.DATA["AGNAI_BOOK"], "The tower has ninety steps.", "steps", "steps stairs"),
        (cards.DATA["RISU"], "The tower has ninety steps.", "The tower", "steps stairs"),
    ],
)
def test_a_lorebook_of_any_maker_becomes_lore(
    tmp_path: Path, book: object, text: str, title: str, key_word: str
) -> None:
    """An entry that is switched on is a fact about what it is called, found by its keys."""
    source = read(tmp_path, book)
    assert source.character is None
    (draft,) = source.drafts
    found = (draft.text, getattr(draft, "entity", ""), getattr(draft, "key_word", ""))
    assert found == (text, title, key_word)


def test_what_has_no_effect_is_listed_by_name(tmp_path: Path) -> None:
    """Instructions, notes, scripts, settings, decorators and patterns; nothing of a plain card."""
    assert read(tmp_path, cards.V3).ignored == (
        "system_prompt",
        "creator_notes",
        "creator",
        "character_version",
        "tags",
        "extensions",
        "group_only_greetings",
        "assets",
        "character_book.scan_depth",
        "character_book.recursive_scanning",
        "depth",
        "role",
        "use_regex",
    )
    assert read(tmp_path, cards.V1).ignored == ()


def test_the_picture_is_kept_without_the_card_and_for_its_owner_alone(
    tmp_path: Path, companions: Companions, home: Path
) -> None:
    """Every chunk that is no picture is left out; a second card does not take its place."""
    import_companion(companions, "Maud", read(tmp_path, SHAPES["V2 PNG"]), *BEGINNING)
    folder = CompanionFolder(home, "Maud")
    picture = folder.picture
    assert picture.read_bytes() == plain()
    for path in (picture, folder.card):
        assert path.stat().st_mode & 0o777 == 0o600
    other = cards.png(cards.text_chunk(b"chara", cards.V2), width=3)
    again = import_companion(companions, "Maud", read(tmp_path, other), *BEGINNING)
    assert (again.created, again.facts, again.known) == (False, 0, 3)
    assert picture.read_bytes() == plain()
    companions.delete("Maud")
    assert not folder.path.exists()


def test_a_charx_brings_its_main_picture(tmp_path: Path) -> None:
    """The icon called main, as a PNG; one that is no picture is listed and not kept."""
    source = read(tmp_path, SHAPES["charx"])
    assert source.picture == plain()
    photo = BytesIO()
    Image.new("RGB", (4, 2)).save(photo, "JPEG")
    drawn = read(tmp_path, cards.charx(cards.V3, assets__icon__images__0_png=photo.getvalue()))
    assert (drawn.picture or b"").startswith(cards.SIGNATURE)
    script = cards.charx(cards.V3, assets__icon__images__0_png=b"<svg onload='x()'/>")
    broken = read(tmp_path, script)
    assert broken.picture is None
    assert "picture" in broken.ignored


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ({"first_mes": {"a": 1}}, "first_mes"),
        ({"alternate_greetings": ["Hi.", {"a": 1}]}, "alternate_greetings[2]"),
        ({"alternate_greetings": ["Hi."] * 101}, "alternate_greetings[101…]"),
        ({"character_book": {"entries": ["text"]}}, "character_book.entries[1]"),
        ({"character_book": {"entries": [{"content": {"a": 1}}]}}, "character_book.entries[1]"),
        ({"character_book": {"entries": [{"content": "x" * 32_001}]}}, "character_book.entries[1]"),
    ],
)
def test_a_faulty_field_or_entry_is_named_and_the_rest_taken(
    tmp_path: Path, fault: dict[str, Any], named: str
) -> None:
    """A card of years is not refused for one entry."""
    source = read(tmp_path, {**cards.V1, **fault})
    assert named in source.ignored
    assert source.character is not None
    assert source.character.texts_in("en").persona


def test_odd_makers_of_cards_are_read(tmp_path: Path) -> None:
    """A number among the keys, a null among the greetings, a list of lines, one greeting as text."""
    book = {"entries": [{"keys": [1987, None, "sea"], "content": "The sea rose."}]}
    odd = {"mes_example": ["One.", "Two."], "alternate_greetings": "Hi.", "character_book": book}
    source = read(tmp_path, {**cards.V1, **odd})
    (draft,) = source.drafts
    assert isinstance(draft, FactDraft)
    assert draft.key_word == "1987 sea"
    assert source.character is not None
    texts = source.character.texts_in("en")
    assert (texts.speaking_style, texts.other_greetings) == ("One.\nTwo.", ("Hi.",))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (cards.png(), "No character card is in that file"),
        (cards.png(cards.text_chunk(b"chara", cards.V1))[:60], "not JSON"),
        (cards.png(cards.chunk(b"iTXt", b"chara\0\1\0\0\0no zlib")), "No character card"),
        (b"PK\3\4 broken", "No character card is in that file"),
        (b"\xff\xd8\xff a picture alone", "No character card is in that file"),
        (b"{", "not JSON"),
        (b'{"name": "x", "first_mes": ' + b"[" * 50_000 + b"]" * 50_000 + b"}", "JSON"),
        (cards.png(cards.text_chunk(b"chara", [1])), "No character card is in that file"),
        ({**cards.V1, "character_book": "text"}, "`character_book` is not"),
        ({**cards.V1, "character_book": {"entries": 3}}, "`entries` is not"),
        ({"entries": [{}] * 10_001}, "10001 entries; the most"),
        ({**cards.V1, "description": "x" * 200_001}, "the longest it can be is 200000"),
    ],
)
def test_what_is_no_card_or_too_large_is_refused(
    tmp_path: Path, content: object, sentence: str
) -> None:
    """One plain sentence; a file that is broken, or too deep, brings nothing down."""
    with pytest.raises((UnreadableFile, UsageError)) as refused:
        read(tmp_path, content)
    assert sentence in str(refused.value)


def test_what_unfolds_beyond_the_limit_is_not_unfolded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text in a PNG, a card in an archive, and a whole file; a picture in an archive is left."""
    packed = cards.png(cards.packed_chunk(b"chara", b" " * (1 << 26)))
    with pytest.raises(UnreadableFile):
        read(tmp_path, packed)
    archive = cards.charx(cards.V3, assets__icon__images__0_png=cards.png() + b" " * 5000)
    monkeypatch.setattr(containers, "LARGEST_PICTURE", 5000)
    assert read(tmp_path, archive).picture is None
    monkeypatch.setattr(containers, "LARGEST_JSON", 1000)
    with pytest.raises(UnreadableFile, match="larger than"):
        read(tmp_path, archive)
    monkeypatch.setattr(containers, "LARGEST_FILE", 10)
    with pytest.raises(UnreadableFile, match="larger than"):
        read(tmp_path, cards.V1)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Maud / the keeper", "Maud the keeper"),
        ("AC\\DC\t2", "AC DC 2"),
        ("x" * 300, "x" * 200),
        ("/..", ""),
    ],
)
def test_a_card_gets_a_name_that_a_companion_can_have(
    tmp_path: Path, written: str, name: str
) -> None:
    """Slashes and control characters become spaces, a long name is cut; of "/.." nothing is left."""
    source = read(tmp_path, {**cards.V1, "name": written})
    assert source.character is not None
    assert source.character.name == name
    assert texts(source).called == (written if len(written) < 60 else "")


def bring(companions: Companions, path: Path, name: str = "Maud") -> None:
    """Import a file as a companion."""
    import_companion(companions, name, read_source(path, UTC), *BEGINNING)


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
    """Every field and entry, also unused ones, as it was; the file can be imported again."""
    bring(companions, cards.as_json(tmp_path, card))
    out = take(companions)
    assert (out["spec"], out["spec_version"]) == ("chara_card_v3", "3.0")
    data = out["data"]
    for field, value in card["data"].items():
        if field not in ("character_book", "assets"):
            assert data[field] == value, field
    book, before = data["character_book"], cards.BOOK
    assert {one: book[one] for one in before if one != "entries"} == {
        one: before[one] for one in before if one != "entries"
    }
    by_order = sorted(before["entries"], key=lambda one: one["insertion_order"])
    assert len(book["entries"]) == len(by_order)
    for entry, old in zip(book["entries"], by_order, strict=True):
        assert {one: entry[one] for one in old} == old
    assert data["assets"] == [{"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}]
    bring(companions, cards.as_json(tmp_path, out), "Other")
    assert take(companions, "Other") == out


def test_what_was_changed_here_takes_the_place_of_the_card_s(
    companions: Companions, tmp_path: Path
) -> None:
    """A rewritten persona is the description; an entry added here has keys of its own."""
    bring(companions, cards.as_json(tmp_path, cards.V2))
    companions.edit("Maud", lambda one: one.with_texts("en", {"persona": "Sleepy."}))
    tell(companions, "Maud", FactDraft("Maud owns a barometer.", key_word="barometer"))
    data = take(companions)["data"]
    assert (data["description"], data["personality"], data["scenario"]) == ("Sleepy.", "", "")
    added = next(
        entry for entry in data["character_book"]["entries"] if "barometer" in entry["content"]
    )
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
        name: json.loads(base64.b64decode(one))
        for name, one in PngImageFile(BytesIO(data)).text.items()
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

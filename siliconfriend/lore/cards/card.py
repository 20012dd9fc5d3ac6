"""A character card, whichever program wrote it, as one object of Character Card V3.

V1 has its six texts at the top, V2 and V3 have them under ``data``, and older programs have
names of their own for the same six. All become the V3 object, in which everything that was
there stays; only then is it read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from siliconfriend.errors import UnreadableFile
from siliconfriend.lore.cards.book import Book, read_book
from siliconfriend.models.output import clean

SPEC, SPEC_VERSION = "chara_card_v3", "3.0"

_ALIASES: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "char_name"),
    "description": ("description", "char_persona"),
    "personality": ("personality",),
    "scenario": ("scenario", "world_scenario"),
    "first_mes": ("first_mes", "char_greeting"),
    "mes_example": ("mes_example", "example_dialogue"),
    "creator_notes": ("creator_notes", "creatorcomment"),
}
"""The fields of V1 by the names they have in programs before it."""
_AGNAI = {"greeting": "first_mes", "sampleChat": "mes_example", "description": "creator_notes"}
TEXTS = ("description", "personality", "scenario", "first_mes", "mes_example")


@dataclass(frozen=True, slots=True)
class Card:
    """The fields of a card that become part of a companion.

    Attributes:
        data: the card's ``data``, as V3; ``character_book`` is taken out of it.
        name: of the character.
        nickname: what it is called instead; empty for nothing.
        texts: of :data:`TEXTS`, cleaned, empty where there is none.
        other_greetings: beside the first.
        book: its lorebook; None where it has none.
    """

    data: dict[str, Any]
    name: str
    nickname: str
    texts: Mapping[str, str]
    other_greetings: tuple[str, ...]
    book: Book | None


def is_card(document: object) -> bool:
    """True if the JSON is a character card of a form known here."""
    if not isinstance(document, dict):
        return False
    if str(document.get("spec", "")).startswith("chara_card_v"):
        return True
    if _is_agnai(document):
        return True
    names = [name for name in TEXTS if any(alias in document for alias in _ALIASES[name])]
    return len(names) > 1 and any(name in document for name in _ALIASES["name"])


def read_card(document: dict[str, Any]) -> Card:
    """Read a card.

    Raises:
        UnreadableFile: naming the field that is not what it should be.
    """
    data = _data(document)
    texts = {name: _text(data, name) for name in TEXTS}
    book = data.pop("character_book", None)
    return Card(
        data=data,
        name=_text(data, "name"),
        nickname=_text(data, "nickname"),
        texts=texts,
        other_greetings=tuple(filter(None, _list(data, "alternate_greetings"))),
        book=None if not book else read_book(book),
    )


def _data(document: dict[str, Any]) -> dict[str, Any]:
    """The ``data`` of the V3 object that the document is, or would be."""
    data = document.get("data")
    if isinstance(data, dict):
        return dict(data)
    if _is_agnai(document):
        return _from_agnai(document)
    data = {name: it for name, it in document.items() if name not in ("spec", "spec_version")}
    for name, aliases in _ALIASES.items():
        found = [data.pop(alias) for alias in aliases if alias in data]
        data[name] = next((it for it in found if it), "")
    return data


def _is_agnai(document: Mapping[str, Any]) -> bool:
    return document.get("kind") == "character" and isinstance(document.get("persona"), dict)


def _from_agnai(document: Mapping[str, Any]) -> dict[str, Any]:
    data = {_AGNAI.get(name, name): it for name, it in document.items() if name != "kind"}
    attributes = data.pop("persona").get("attributes")
    lines = [
        f"{'' if name == 'text' else f'{name}: '}{', '.join(map(str, several))}"
        for name, several in (attributes if isinstance(attributes, dict) else {}).items()
        if isinstance(several, list)
    ]
    book = data.pop("characterBook", None)
    return {**data, "description": "\n".join(lines), **({"character_book": book} if book else {})}


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UnreadableFile("card_wrong_field", field=name)
    return clean(value.replace("\r\n", "\n")).strip()


def _list(data: Mapping[str, Any], name: str) -> list[str]:
    several = data.get(name)
    if several is None:
        return []
    if not isinstance(several, list):
        raise UnreadableFile("card_wrong_field", field=name)
    numbered = {f"{name}[{number}]": it for number, it in enumerate(several)}
    return [_text(numbered, it) for it in numbered]

"""Read a character card, whichever program wrote it, as a companion: texts, lore, and what is kept.

V1 has its six texts at the top, V2 and V3 have them under ``data``, and older programs have names
of their own for the same six. All become one object of Character Card V3, in which everything
that was there stays; only then is it read.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from siliconfriend.characters.cards.book import Book, BookEntry, read_book
from siliconfriend.characters.cards.files import Contents, Picture
from siliconfriend.characters.character import MAX_LENGTHS, Character
from siliconfriend.characters.entries import BOOK, plain_keys
from siliconfriend.errors import RefusedName, UnreadableFile
from siliconfriend.language.characters import language_of
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.output import clean
from siliconfriend.texts import Language, text

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


IGNORED = (
    *("system_prompt", "post_history_instructions", "creator_notes", "creator"),
    *("character_version", "tags", "extensions", "group_only_greetings"),
)
"""Fields of a card that are kept for an export and have no effect."""
IGNORED_OF_BOOK = ("scan_depth", "token_budget", "recursive_scanning")
OWN_DECORATORS = frozenset({"activate", "dont_activate"})
_PERSONA = ("description", "personality", "scenario")
MAX_TITLE = 200
"""Characters of what an entry is about."""


@dataclass(frozen=True, slots=True)
class ReadCard:
    """The character and entries read from a card or a lorebook.

    Attributes:
        character: who the companion is; None in a lorebook alone, and without a name where the
            card's cannot name a companion.
        drafts: the entries that are switched on.
        form: the card as it is kept for its way back; None in a lorebook alone.
        picture: of the companion.
        ignored: fields that have no effect here, by their names.
    """

    character: Character | None
    drafts: tuple[FactDraft, ...]
    form: dict[str, Any] | None
    picture: Picture | None
    ignored: tuple[str, ...]


def read_card_file(contents: Contents) -> ReadCard:
    """Read a file that holds a card.

    Raises:
        UnreadableFile: naming the field that is not what it should be.
        UsageError: a text is too long.
    """
    card = read_card(contents.document)
    language = language_of("\n".join(card.texts.values()))
    name = ""
    with suppress(RefusedName):
        name = clean_name(card.name)
    called = card.nickname or card.name
    character = Character(name).with_texts(
        language,
        {
            "called": called if len(called) <= MAX_LENGTHS["called"] else "",
            "persona": compose_persona(card.texts, language),
            "speaking_style": card.texts["mes_example"],
            "greeting": card.texts["first_mes"],
        },
    )
    character = character.with_other_greetings(language, card.other_greetings)
    ignored = _ignored_fields(card.data)
    if contents.lost_picture:
        ignored.append("picture")
    return ReadCard(
        character,
        () if card.book is None else _drafts(card.book),
        _kept(card.data, card.book),
        contents.picture,
        (*ignored, *(() if card.book is None else _ignored_of_book(card.book))),
    )


def read_book_file(document: object) -> ReadCard:
    """Read a file that holds a lorebook.

    Raises:
        UnreadableFile: naming the entry and the field that is not what it should be.
    """
    book = read_book(document)
    return ReadCard(None, _drafts(book), None, None, _ignored_of_book(book))


def compose_persona(texts: Mapping[str, Any], language: Language) -> str:
    """Who a companion is, of a card's description, personality and scenario."""
    parts = {name: str(texts.get(name) or "").strip() for name in _PERSONA}
    labelled = [
        words
        if name == "description"
        else text("characters", f"card_{name}", language, words=words)
        for name, words in parts.items()
        if words
    ]
    return "\n\n".join(labelled)


def _ignored_fields(data: Mapping[str, Any]) -> list[str]:
    """The fields of a card that say something and have no effect here."""
    assets = data.get("assets")
    extra = [
        asset
        for asset in (assets if isinstance(assets, list) else [])
        if isinstance(asset, dict) and (asset.get("type"), asset.get("name")) != ("icon", "main")
    ]
    return [*(name for name in IGNORED if data.get(name)), *(["assets"] if extra else [])]


def _ignored_of_book(book: Book) -> tuple[str, ...]:
    """The settings of a lorebook and its entries that have no effect here."""
    found = {f"character_book.{name}": None for name in IGNORED_OF_BOOK if book.settings.get(name)}
    for entry in book.entries:
        found |= dict.fromkeys(name for name in entry.decorators if name not in OWN_DECORATORS)
        keys = [*entry.form["keys"], *entry.form["secondary_keys"]]
        if entry.form["use_regex"] or len(plain_keys(keys)) < len(keys):
            found["use_regex"] = None
    return tuple(found)


def _drafts(book: Book) -> tuple[FactDraft, ...]:
    return tuple(_draft(entry) for entry in book.entries if entry.is_enabled and entry.content)


def _draft(entry: BookEntry) -> FactDraft:
    title = entry.title[:MAX_TITLE]
    return FactDraft(
        entry.content,
        entity=title,
        entity_type="specific" if title else "subject",
        key_word=" ".join(entry.form["keys"]),
        extra={BOOK: entry.form},
    )


def _kept(data: dict[str, Any], book: Book | None) -> dict[str, Any]:
    """The card as V3, with what becomes an entry of the lore left to the lore."""
    data = {**data, "assets": _light_assets(data.get("assets"))}
    if book is not None:
        off = [entry for entry in book.entries if not entry.is_enabled or not entry.content]
        entries = [{**entry.form, "content": entry.content} for entry in off]
        data["character_book"] = {**book.settings, "entries": entries}
    return {"spec": SPEC, "spec_version": SPEC_VERSION, "data": data}


def _light_assets(assets: object) -> list[Any]:
    """The assets that are addresses; those in the file itself are not kept."""
    several = assets if isinstance(assets, list) else []
    return [
        it
        for it in several
        if isinstance(it, dict) and str(it.get("uri")).startswith(("http://", "https://"))
    ]

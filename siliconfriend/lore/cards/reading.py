"""Turn a card or a lorebook into a companion: texts of a character, lore, and what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from siliconfriend.errors import RefusedName
from siliconfriend.extraction.drafts import FactDraft
from siliconfriend.language.characters import language_of
from siliconfriend.lore.cards.book import Book, BookEntry, read_book
from siliconfriend.lore.cards.card import SPEC, SPEC_VERSION, read_card
from siliconfriend.lore.cards.containers import Contents, Picture
from siliconfriend.lore.cards.unused import Unused, unused_in_book, unused_in_card
from siliconfriend.lore.character import MAX_LENGTHS, Character
from siliconfriend.lore.keys import BOOK
from siliconfriend.memory.scope import clean_name
from siliconfriend.texts import Language, text

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
        unused: what has no place.
    """

    character: Character | None
    drafts: tuple[FactDraft, ...]
    form: dict[str, Any] | None
    picture: Picture | None
    unused: tuple[Unused, ...]


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
    unused = unused_in_card(card)
    if contents.lost_picture:
        unused.append(Unused("picture"))
    return ReadCard(
        character,
        () if card.book is None else _drafts(card.book),
        _kept(card.data, card.book),
        contents.picture,
        (*unused, *(() if card.book is None else unused_in_book(card.book))),
    )


def read_book_file(document: object) -> ReadCard:
    """Read a file that holds a lorebook.

    Raises:
        UnreadableFile: naming the entry and the field that is not what it should be.
    """
    book = read_book(document)
    return ReadCard(None, _drafts(book), None, None, tuple(unused_in_book(book)))


def compose_persona(texts: Mapping[str, Any], language: Language) -> str:
    """Who a companion is, of a card's description, personality and scenario."""
    parts = {name: str(texts.get(name) or "").strip() for name in _PERSONA}
    labelled = [
        words if name == "description" else text("lore", f"card_{name}", language, words=words)
        for name, words in parts.items()
        if words
    ]
    return "\n\n".join(labelled)


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

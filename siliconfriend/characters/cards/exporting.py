"""Export a companion as a Character Card V3, as JSON or inside its picture.

Unused fields and disabled entries of an imported card are exported again; changes made here
replace what the card said. No data of a person is exported.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from siliconfriend.characters.cards.card import SPEC, SPEC_VERSION, compose_persona
from siliconfriend.characters.cards.files import add_texts
from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import Companions
from siliconfriend.characters.entries import BOOK, USUAL_ORDER, Entry, all_entries
from siliconfriend.errors import UsageError
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import LANGUAGES, Language

_NEEDED: Mapping[str, Any] = {
    **dict.fromkeys(("creator_notes", "system_prompt", "post_history_instructions"), ""),
    **dict.fromkeys(("creator", "character_version"), ""),
    "tags": [],
    "group_only_greetings": [],
    "extensions": {},
}
"""Fields that every V3 card has."""
_ICON = {"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}


def export_card(
    companions: Companions, name: str, *, language: Language, now: datetime, in_picture: bool
) -> bytes:
    """Return a companion as a Character Card V3, the same bytes for the same companion.

    In JSON, or ``in_picture`` inside its picture, as V3 and V2; ``now`` is written as the day of the
    change. Its texts are those of ``language``, of the other where nobody wrote any in it.

    Raises:
        UsageError: there is none of that name, or it has no picture.
    """
    character, (kept, picture) = companions.character(name), companions.card(name)
    if in_picture and picture is None:
        raise UsageError("card_no_picture", name=name)
    data: dict[str, Any] = dict(kept["data"]) if kept is not None else {}
    book = _book(data.get("character_book") or {}, companions.lore(name))
    assets = [_ICON, *data.get("assets", [])]
    data |= _texts(character, data, language) | {"character_book": book, "assets": assets}
    data["modification_date"] = int(now.timestamp())
    card = {"spec": SPEC, "spec_version": SPEC_VERSION, "data": data}
    if picture is None or not in_picture:
        return _to_bytes(card)
    chunks = {"chara": {**card, "spec": "chara_card_v2", "spec_version": "2.0"}, "ccv3": card}
    return add_texts(
        picture.read_bytes(), {it: base64.b64encode(_to_bytes(form)) for it, form in chunks.items()}
    )


def _to_bytes(card: Mapping[str, Any]) -> bytes:
    words = json.dumps(card, ensure_ascii=False, indent=2, sort_keys=True)
    return f"{words}\n".encode("utf-8", "replace")


def _texts(character: Character, data: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Return the texts of a card; what it said itself where that is what the companion still is."""
    told = next((it for it in (language, *LANGUAGES) if it in character.texts), language)
    texts = character.texts_in(told)
    persona = {name: data.get(name) or "" for name in ("description", "personality", "scenario")}
    if compose_persona(persona, told) != texts.persona:
        persona = {"description": texts.persona, "personality": "", "scenario": ""}
    style, name = texts.speaking_style, data.get("name") or character.name
    is_example = "<start>" in style.lower() or "{{char}}:" in style.lower()
    if not is_example:  # V3 has room for examples of how one talks, not for a description of it
        persona["personality"] = "\n".join(filter(None, (persona["personality"], style)))
    first, *others = [it.replace("{person}", "{{user}}") for it in texts.greetings] or [""]
    return {
        **{field: data.get(field) or usual for field, usual in _NEEDED.items()},
        **persona,
        "first_mes": first,
        "alternate_greetings": others,
        "name": name,
        **({"nickname": texts.called} if texts.called not in ("", name) else {}),
        "mes_example": style if is_example else "",
    }


def _book(kept: Mapping[str, Any], lore: PersonMemory | None) -> dict[str, Any]:
    entries = [] if lore is None else [_entry(it) for it in all_entries(lore)]
    off = [_with_decorators(it) for it in kept.get("entries", [])]
    entries = sorted([*entries, *off], key=_order)
    return {"extensions": {}, **kept, "entries": entries}


def _entry(entry: Entry) -> dict[str, Any]:
    form = entry.extra.get(BOOK)
    if isinstance(form, Mapping):
        return _with_decorators({**form, "content": entry.text})
    words = (entry.key_word, entry.entity) if isinstance(entry, Fact) else entry.key_words
    keys = list(dict.fromkeys(it for it in words if it))
    usual = {"extensions": {}, "enabled": True, "insertion_order": int(USUAL_ORDER)}
    return {**usual, "use_regex": False, "keys": keys, "content": entry.text, "constant": not keys}


def _with_decorators(form: Mapping[str, Any]) -> dict[str, Any]:
    form = dict(form)
    lines = form.pop("decorators", [])
    return {**form, "content": "\n".join([*lines, str(form.get("content", ""))])}


def _order(form: Mapping[str, Any]) -> float:
    order = form.get("insertion_order")
    return order if isinstance(order, int | float) else USUAL_ORDER

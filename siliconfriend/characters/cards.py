"""Read a character card or a lorebook of any program, and write a companion as a card.

V1 has six texts at the top level, V2 and V3 have them under ``data``; older programs and lorebooks
(World Info, NovelAI, Agnai, Risu) use other names for the same fields. All are converted to a
Character Card V3 that keeps unknown fields. Scripts, patterns, HTML and addresses are never used:
unused fields and disabled entries are listed, and exported again. Changes made here replace the
card's texts. No data of a person is exported.
"""

import base64
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from siliconfriend.characters.card_files import Contents, add_texts
from siliconfriend.characters.character import MAX_LENGTHS, MOST_GREETINGS, Character
from siliconfriend.characters.companions import Companions
from siliconfriend.characters.entries import (
    BOOK,
    USUAL_ORDER,
    Entry,
    all_entries,
    order_of,
    plain_keys,
)
from siliconfriend.errors import RefusedName, UnreadableFile, UsageError
from siliconfriend.language.characters import language_of
from siliconfriend.memory.codec import Form
from siliconfriend.memory.drafts import Draft, FactDraft
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import LONGEST_NAME, clean_name
from siliconfriend.models.output import clean
from siliconfriend.texts import LANGUAGES, Language, text

SPEC, SPEC_VERSION = "chara_card_v3", "3.0"
TEXTS = ("description", "personality", "scenario", "first_mes", "mes_example")
_PERSONA = ("description", "personality", "scenario")
_ALIASES: Mapping[str, tuple[str, ...]] = {
    "name": ("char_name",),
    "description": ("char_persona",),
    "personality": (),
    "scenario": ("world_scenario",),
    "first_mes": ("char_greeting",),
    "mes_example": ("example_dialogue",),
    "creator_notes": ("creatorcomment",),
}
"""The fields of V1, with their names in older programs."""
_ENTRY_ALIASES: Mapping[str, tuple[str, ...]] = {
    "keys": ("key", "keywords"),
    "secondary_keys": ("keysecondary", "secondkey"),
    "content": ("text", "entry"),
    "name": ("displayName",),
    "constant": ("forceActivation", "alwaysActive"),
    "insertion_order": ("order", "insertorder", "weight"),
    "case_sensitive": ("caseSensitive",),
    "use_regex": ("useRegex",),
    "id": ("uid",),
    **dict.fromkeys(("comment", "selective", "priority", "position"), ()),
}
IGNORED: Mapping[str, Any] = {
    **dict.fromkeys(("system_prompt", "post_history_instructions", "creator_notes"), ""),
    **dict.fromkeys(("creator", "character_version"), ""),
    "tags": [],
    "extensions": {},
    "group_only_greetings": [],
}
"""Fields of V3 that have no effect, with their empty values; they are kept for an export."""
IGNORED_OF_BOOK = ("scan_depth", "token_budget", "recursive_scanning")
MOST_ENTRIES = 10_000
LONGEST_ENTRY = 32_000
MAX_TITLE = 200
"""Most entries of a lorebook, and most characters of an entry and of its title."""
_DECORATORS = re.compile(r"(?:@@@?\w+[^\n]*(?:\n+|\Z))*")
"""Matches the lines before the content of an entry; they are stored as its ``decorators``."""


@dataclass(frozen=True, slots=True)
class CompanionSource:
    """The content of a file or a folder.

    Attributes:
        character: None in a lorebook; without a name if the card's name cannot be used.
        drafts: facts and events; of a lorebook the enabled entries.
        card: the card as it is stored for an export.
        picture: a PNG.
        ignored: names of the fields and entries without effect.
    """

    character: Character | None
    drafts: tuple[Draft, ...]
    card: Form | None = None
    picture: bytes | None = None
    ignored: tuple[str, ...] = ()


def read_card(contents: Contents) -> CompanionSource | None:
    """Read a card or a lorebook; None if the JSON is neither.

    UnreadableFile names a wrong field.
    """
    document = contents.document
    if not isinstance(document, dict):
        return None
    spec = str(document.get("spec", ""))
    known = {name for name, others in _ALIASES.items() if {name, *others} & document.keys()}
    if spec.startswith("chara_card_v") or ("name" in known and len(known & set(TEXTS)) > 1):
        return _read_card(contents)
    is_book = spec == "lorebook_v3" or document.get("type") == "risu"
    if is_book or isinstance(document.get("entries"), dict | list):
        _, drafts, ignored = _read_book(document)
        return CompanionSource(None, drafts, ignored=ignored)
    return None


def _read_card(contents: Contents) -> CompanionSource:
    data, faults = _data(contents.document), list[str]()
    texts = {name: _text(data, name, faults) for name in TEXTS}
    written_name = _text(data, "name", faults)
    called = _text(data, "nickname", faults) or written_name
    called = called if len(called) <= MAX_LENGTHS["called"] else ""
    book = data.pop("character_book", None)
    kept_book, drafts, ignored_of_book = _read_book(book) if book else ({}, (), ())
    language = language_of("\n".join(texts.values()))
    own = {
        "called": called,
        "persona": compose_persona(texts, language),
        "speaking_style": texts["mes_example"],
        "greeting": texts["first_mes"],
        "other_greetings": _list(data, "alternate_greetings", faults),
    }
    ignored = [*faults, *(name for name in IGNORED if data.get(name))]
    several = data.get("assets")
    assets = [one for one in several if isinstance(one, dict)] if isinstance(several, list) else []
    if any((asset.get("type"), asset.get("name")) != ("icon", "main") for asset in assets):
        ignored.append("assets")
    if contents.lost_picture:
        ignored.append("picture")
    # Assets within the file are not kept.
    web = [asset for asset in assets if str(asset.get("uri")).startswith(("http://", "https://"))]
    kept = {**data, "assets": web}
    if book:
        kept["character_book"] = kept_book
    return CompanionSource(
        Character(_usable_name(written_name)).with_texts(language, own),
        drafts,
        {"spec": SPEC, "spec_version": SPEC_VERSION, "data": kept},
        contents.picture,
        (*ignored, *ignored_of_book),
    )


def _usable_name(written: str) -> str:
    """Return a card's name without disallowed characters; empty if nothing is left."""
    plain = " ".join(re.sub(r"[/\\\x00-\x1f\x7f-\x9f]", " ", written).split())
    for name in (written, plain[:LONGEST_NAME]):
        with suppress(RefusedName):
            return clean_name(name)
    return ""


def compose_persona(texts: Mapping[str, Any], language: Language) -> str:
    """Join a card's description, personality and scenario to a persona."""
    parts = {name: str(texts.get(name) or "").strip() for name in _PERSONA}
    for name in ("personality", "scenario"):
        if parts[name]:
            parts[name] = text("characters", f"card_{name}", language, words=parts[name])
    return "\n\n".join(filter(None, parts.values()))


def _data(document: Form) -> Form:
    data = document.get("data")
    if isinstance(data, dict):
        return dict(data)
    rest = {name: value for name, value in document.items() if name not in ("spec", "spec_version")}
    return _rename(rest, _ALIASES) | rest


def _rename(rest: Form, aliases: Mapping[str, tuple[str, ...]]) -> Form:
    """Move the fields of V3 out of ``rest``, under their own names; of several the first not empty."""
    fields: Form = {}
    for name, others in aliases.items():
        found = [rest.pop(key) for key in (name, *others) if key in rest]
        if any(value is not None for value in found):
            fields[name] = next((value for value in found if value not in (None, "")), "")
    return fields


def _text(data: Mapping[str, Any], name: str, faults: list[str]) -> str:
    """Return the text of a field; for another type add its name to ``faults``, and return ""."""
    value = data.get(name)
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        value = "\n".join(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str | None):
        faults.append(name)
        return ""
    return clean((value or "").replace("\r\n", "\n")).strip()


def _list(data: Mapping[str, Any], name: str, faults: list[str]) -> list[str]:
    several = data.get(name) or []
    if not isinstance(several, list):
        several = [several]
    fields = {f"{name}[{at}]": value for at, value in enumerate(several, 1)}
    texts = [_text(fields, field, faults) for field in fields]
    faults += [f"{name}[{MOST_GREETINGS + 1}…]"] if len(texts) > MOST_GREETINGS else []
    return texts[:MOST_GREETINGS]


def _read_book(document: object) -> tuple[Form, tuple[Draft, ...], tuple[str, ...]]:
    """Return a lorebook's settings and disabled entries, its other entries, and what has no effect."""
    if isinstance(document, dict) and document.get("spec") == "lorebook_v3":
        document = document.get("data")
    if not isinstance(document, dict):
        raise UnreadableFile("card_wrong_field", field="character_book")
    settings = dict(document)
    entries = settings.pop("data" if document.get("type") == "risu" else "entries", None)
    if isinstance(entries, dict):
        entries = list(entries.values())
    if not isinstance(entries, list):
        raise UnreadableFile("card_wrong_field", field="entries")
    if len(entries) > MOST_ENTRIES:
        raise UnreadableFile("card_many_entries", count=len(entries), most=MOST_ENTRIES)
    settings.pop("originalData", None)  # World Info repeats its source
    forms, faults = list[Form](), list[str]()
    for number, written in enumerate(entries, 1):
        try:
            forms.append(_entry(written, number))
        except UnreadableFile:
            faults.append(f"character_book.entries[{number}]")
    told = [form for form in forms if form["enabled"] and form["content"]]
    off = [form for form in forms if not (form["enabled"] and form["content"])]
    ignored = [
        *faults,
        *(f"character_book.{name}" for name in IGNORED_OF_BOOK if settings.get(name)),
    ]
    for form in forms:
        ignored += re.findall(r"(?m)^@+(\w+)", "\n".join(form.get("decorators", [])))
        keys = [*form["keys"], *form["secondary_keys"]]
        if form["use_regex"] or len(plain_keys(keys)) < len(keys):
            ignored.append("use_regex")
    kept = {**settings, "entries": off}
    return kept, tuple(map(_draft, told)), tuple(dict.fromkeys(ignored))


def _entry(written: object, number: int) -> Form:
    if not isinstance(written, dict):
        raise UnreadableFile("lore_wrong_entry", number=number, field="{…}")
    rest = dict(written)
    entry = _rename(rest, _ENTRY_ALIASES)
    is_enabled = rest.pop("enabled", True) is not False and rest.pop("disable", False) is not True
    extensions = rest.pop("extensions", {})
    for name in ("keys", "secondary_keys"):
        entry[name] = _keys(entry.get(name), number, name)
    content = _text(entry, "content", faults := list[str]())
    if faults:
        raise UnreadableFile("lore_wrong_entry", number=number, field="content")
    if len(content) > LONGEST_ENTRY:
        raise UnreadableFile("card_long_entry", number=number, longest=LONGEST_ENTRY)
    head = "".join(_DECORATORS.findall(content)[:1])
    if head:
        entry["decorators"] = head.strip("\n").split("\n")
    return {
        **entry,
        "content": content.removeprefix(head).strip(),
        "enabled": is_enabled,
        "use_regex": entry.get("use_regex") is True,
        "extensions": {**(extensions if isinstance(extensions, dict) else {}), **rest},
    }


def _keys(value: object, number: int, name: str) -> list[str]:
    several = value.split(",") if isinstance(value, str) else value or []
    if not isinstance(several, list):
        raise UnreadableFile("lore_wrong_entry", number=number, field=name)
    keys = (str(key) for key in several if isinstance(key, str | int | float))
    return [word for key in keys if (word := clean(key).strip())]


def _draft(entry: Form) -> FactDraft:
    named = (entry.get("name"), entry.get("comment"))
    titles = (" ".join(title.split()) for title in named if isinstance(title, str))
    title = next(filter(None, titles), "")[:MAX_TITLE]
    return FactDraft(
        entry["content"],
        entity=title,
        entity_type="specific" if title else "subject",
        key_word=" ".join(entry["keys"]),
        extra={BOOK: {name: value for name, value in entry.items() if name != "content"}},
    )


_ICON = {"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}


def export_card(
    companions: Companions, name: str, *, language: Language, now: datetime, in_picture: bool
) -> bytes:
    """Export a companion as a Character Card V3, in JSON or inside its picture (as V3 and V2).

    Args:
        companions: where it is.
        name: of the companion.
        language: of its texts; the other language if there are none.
        now: written as the time of modification.
        in_picture: return its picture with the card.

    Raises:
        UsageError: there is no such companion, or it has no picture.
    """
    character, (kept, picture) = companions.character(name), companions.card(name)
    if in_picture and picture is None:
        raise UsageError("card_no_picture", name=name)
    data: Form = dict(kept["data"]) if kept is not None else {}
    book = _book(data.get("character_book") or {}, companions.lore(name))
    assets = [_ICON, *data.get("assets", [])]
    data |= _texts(character, data, language) | {"character_book": book, "assets": assets}
    data["modification_date"] = int(now.timestamp())
    card = {"spec": SPEC, "spec_version": SPEC_VERSION, "data": data}
    if picture is None or not in_picture:
        return _to_bytes(card)
    chunks = {"chara": {**card, "spec": "chara_card_v2", "spec_version": "2.0"}, "ccv3": card}
    coded = {chunk: base64.b64encode(_to_bytes(form)).decode() for chunk, form in chunks.items()}
    return add_texts(picture.read_bytes(), coded)


def _to_bytes(card: Mapping[str, Any]) -> bytes:
    words = json.dumps(card, ensure_ascii=False, indent=2, sort_keys=True)
    return f"{words}\n".encode("utf-8", "replace")


def _texts(character: Character, data: Mapping[str, Any], language: Language) -> Form:
    """Return the texts of a card; the imported ones if they were not changed here."""
    told = next((each for each in (language, *LANGUAGES) if each in character.texts), language)
    texts = character.texts_in(told)
    persona = {name: data.get(name) or "" for name in _PERSONA}
    if compose_persona(persona, told) != texts.persona:
        persona = {"description": texts.persona, "personality": "", "scenario": ""}
    style, name = texts.speaking_style, data.get("name") or character.name
    is_example = "<start>" in style.lower() or "{{char}}:" in style.lower()
    if not is_example:  # V3 has a field for examples of speech, but none for a description of it
        persona["personality"] = "\n".join(filter(None, (persona["personality"], style)))
    first, *others = [line.replace("{person}", "{{user}}") for line in texts.greetings] or [""]
    return {
        **{field: data.get(field) or empty for field, empty in IGNORED.items()},
        **persona,
        "first_mes": first,
        "alternate_greetings": others,
        "name": name,
        **({"nickname": texts.called} if texts.called not in ("", name) else {}),
        "mes_example": style if is_example else "",
    }


def _book(kept: Mapping[str, Any], lore: PersonMemory | None) -> Form:
    entries = [] if lore is None else [_exported(entry) for entry in all_entries(lore)]
    off = [_with_decorators(entry) for entry in kept.get("entries", [])]
    entries = sorted([*entries, *off], key=order_of)
    return {"extensions": {}, **kept, "entries": entries}


def _exported(entry: Entry) -> Form:
    form = entry.extra.get(BOOK)
    if isinstance(form, Mapping):
        return _with_decorators({**form, "content": entry.text})
    words = (entry.key_word, entry.entity) if isinstance(entry, Fact) else entry.key_words
    keys = list(dict.fromkeys(word for word in words if word))
    usual = {"extensions": {}, "enabled": True, "insertion_order": int(USUAL_ORDER)}
    return {**usual, "use_regex": False, "keys": keys, "content": entry.text, "constant": not keys}


def _with_decorators(form: Mapping[str, Any]) -> Form:
    form = dict(form)
    lines = form.pop("decorators", [])
    return {**form, "content": "\n".join([*lines, str(form.get("content", ""))])}

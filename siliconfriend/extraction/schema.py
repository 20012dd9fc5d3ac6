"""The form a model's reading of a batch must have, bounded in every list and string.

An answer that runs on until the length limit cuts it is no JSON any more, so nothing here is
without an end; numbers that name no turn or no known fact are no answer at all.
"""

from __future__ import annotations

from typing import Any

EVENTS, FACTS, THEMES, KEY_WORDS = 5, 8, 3, 6
"""The most of each in one answer."""


def schema(turns: int, known: int) -> dict[str, Any]:
    """The JSON schema for a batch of so many turns that was shown with so many known facts."""
    numbers = _list({"type": "integer", "minimum": 1, "maximum": turns}, turns, least=1)
    named: dict[str, Any] = {"type": "null"}
    if known:
        named = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": known}, named]}
    key_words = _list(_text(30), KEY_WORDS)
    event = {
        "text": _text(200, least=1),
        "time": _text(16),
        "place": _text(60),
        "scene": _text(60),
        "key_words": key_words,
        "insight": _text(120),
        "turns": numbers,
    }
    fact = {
        "entity": _text(60, least=1),
        "entity_type": {"enum": ["subject", "object", "specific", "general"]},
        "aspect": {"enum": ["attribute", "relation", "scene", "promise"]},
        "key_word": _text(30),
        "description": _text(160, least=1),
        "said_by": {"enum": ["person", "companion"]},
        "turns": numbers,
        "corrects": named,
        "repeats": named,
    }
    theme = {
        "summary": _text(160, least=1),
        "key_words": key_words,
        "turns": numbers,
        "continues": {"type": "boolean"},
    }
    rating = {"type": "integer", "minimum": 1, "maximum": 10}
    return _object(
        {
            "events": _list(_object(event), EVENTS),
            "facts": _list(_object(fact), FACTS),
            "themes": _list(_object(theme), THEMES),
            "importance": _list(rating, turns),
        }
    )


def merging_schema(facts: int) -> dict[str, Any]:
    """The JSON schema for the groups among so many facts."""
    number = {"type": "integer", "minimum": 1, "maximum": facts}
    group = {"numbers": _list(number, facts, least=2), "text": _text(240, least=1)}
    return _object({"groups": _list(_object(group), facts)})


def _text(longest: int, least: int = 0) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": longest}


def _list(items: dict[str, Any], most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }

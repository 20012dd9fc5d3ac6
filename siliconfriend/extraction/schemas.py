"""The JSON schemas of a model's answers about a talk.

They bound every list and string: an answer that runs on until the limit of length cuts it is no
JSON any more. Numbers that name no turn or no known fact are no answer.
"""

from __future__ import annotations

from typing import Any

MAX_EVENTS, MAX_FACTS, MAX_TOPICS, MAX_KEY_WORDS = 5, 8, 3, 6
"""The most of each in one answer."""


def extraction_schema(turns: int, known: int) -> dict[str, Any]:
    """The JSON schema for a batch of so many turns that was shown with so many known facts."""
    numbers = _array({"type": "integer", "minimum": 1, "maximum": turns}, turns, least=1)
    named: dict[str, Any] = {"type": "null"}
    if known:
        named = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": known}, named]}
    key_words = _array(_string(30), MAX_KEY_WORDS)
    event = {
        "text": _string(200, least=1),
        "time": _string(16),
        "place": _string(60),
        "scene": _string(60),
        "key_words": key_words,
        "insight": _string(120),
        "turns": numbers,
    }
    fact = {
        "entity": _string(60, least=1),
        "entity_type": {"enum": ["subject", "object", "specific", "general"]},
        "aspect": {"enum": ["attribute", "relation", "scene", "promise"]},
        "key_word": _string(30),
        "description": _string(160, least=1),
        "said_by": {"enum": ["person", "companion"]},
        "turns": numbers,
        "corrects": named,
        "repeats": named,
    }
    topic = {
        "summary": _string(160, least=1),
        "key_words": key_words,
        "turns": numbers,
        "continues": {"type": "boolean"},
    }
    rating = {"type": "integer", "minimum": 1, "maximum": 10}
    return _object(
        {
            "events": _array(_object(event), MAX_EVENTS),
            "facts": _array(_object(fact), MAX_FACTS),
            "themes": _array(_object(topic), MAX_TOPICS),
            "importance": _array(rating, turns),
        }
    )


def deduplication_schema(facts: int) -> dict[str, Any]:
    """The JSON schema for the groups among so many facts."""
    number = {"type": "integer", "minimum": 1, "maximum": facts}
    group = {"numbers": _array(number, facts, least=2), "text": _string(240, least=1)}
    return _object({"groups": _array(_object(group), facts)})


def _string(longest: int, least: int = 0) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": longest}


def _array(items: dict[str, Any], most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }

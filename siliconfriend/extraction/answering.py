"""An answer that is of the form asked for, or none.

The client of a real server checks an answer against the schema and asks once more; this
looks again, so that no other client can bring half an answer into the memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from siliconfriend.errors import UnusableAnswer
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.output import clean


def answered(chat: CompletionModel, prompt: str, schema: Mapping[str, Any]) -> Any:
    """What the model answers to a prompt, as JSON of the schema, without broken characters.

    Raises:
        UnusableAnswer: it is not of the schema.
        ModelError: as :meth:`ChatModel.complete`.
    """
    import jsonschema

    data = _cleaned(chat.complete([Message("user", prompt)], schema).data)
    try:
        jsonschema.validate(data, dict(schema))
    except jsonschema.ValidationError as error:
        raise UnusableAnswer("model_not_json", name=chat.name) from error
    return data


def _cleaned(data: Any) -> Any:
    """The same with whole characters only: JSON can spell halves of them."""
    if isinstance(data, str):
        return clean(data).strip()
    if isinstance(data, list):
        return [_cleaned(it) for it in data]
    if isinstance(data, dict):
        return {name: _cleaned(it) for name, it in data.items()}
    return data

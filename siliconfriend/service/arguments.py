"""The arguments of each tool: names, types and defaults, of the first three as MemoryOS has them.

Models and clients know these tools by their parameters; a renamed one would break every
configuration there is. What the parameters mean stands in ``texts/*/service.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

from siliconfriend.errors import UsageError

MOST_RESULTS = 100


class AddMemory(BaseModel):
    """An exchange to be remembered."""

    user_input: str
    agent_response: str
    timestamp: str | None = None
    meta_data: dict[str, Any] | None = None


class RetrieveMemory(BaseModel):
    """A question to the memory, and for what kind of answer."""

    query: str
    relationship_with_user: str = "friend"
    style_hint: str = ""
    max_results: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = 10


class GetUserProfile(BaseModel):
    """Which parts of the profile to return."""

    include_knowledge: bool = True
    include_assistant_knowledge: bool = False


class SearchMemories(BaseModel):
    """What to look for in the memory."""

    query: str = ""
    kind: Literal["turn", "day", "event", "fact", "insight", "topic"] | None = None
    max_results: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = 20


class ForgetMemory(BaseModel):
    """Which memory to archive."""

    memory_id: str


class PinMemory(BaseModel):
    """Which memory never to let fade, or to let fade again."""

    memory_id: str
    pinned: bool = True


class ChangeScene(BaseModel):
    """Nothing is asked: the conversation that goes on ends."""


BY_TOOL: Mapping[str, type[BaseModel]] = MappingProxyType(
    {
        "add_memory": AddMemory,
        "retrieve_memory": RetrieveMemory,
        "get_user_profile": GetUserProfile,
        "search_memories": SearchMemories,
        "forget_memory": ForgetMemory,
        "pin_memory": PinMemory,
        "change_scene": ChangeScene,
    }
)

_WRONG = {
    "missing": "value",
    "int": "number",
    "greater": "number",
    "less": "number",
    "bool": "yes_or_no",
    "dict": "object",
    "literal": "kind",
}
"""The kind of value that was needed, by the first word of pydantic's name for the error."""

Arguments = TypeVar("Arguments", bound=BaseModel)


def schema_of(tool: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    """Make the JSON schema of a tool's arguments, each with its meaning."""
    schema = BY_TOOL[tool].model_json_schema()
    schema.pop("description", None)
    for name, described in schema.setdefault("properties", {}).items():
        described["description"] = meanings[name]
    return schema


def validate_arguments(kind: type[Arguments], given: Mapping[str, Any]) -> Arguments:
    """Validate the arguments of a call; unknown ones are ignored.

    Raises:
        UsageError: one is missing or of the wrong kind.
    """
    try:
        return kind.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        wrong = _WRONG.get(first["type"].partition("_")[0], "text")
        raise UsageError(f"service_needs_{wrong}", name=name, most=MOST_RESULTS) from error

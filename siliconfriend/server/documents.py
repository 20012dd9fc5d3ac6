"""The forms of answers, as the OpenAPI document describes them, with an example of each."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from siliconfriend.models.usage import Usage
from siliconfriend.server.problems import MEDIA_TYPE

_MEMORY: dict[str, JsonValue] = {
    "id": "turn-2026-03-14-0-9f3a1c2e",
    "kind": "turn",
    "date": "2026-03-14",
    "turn": 0,
    "text": "I moved to Lisbon.\nHow do you like it there?",
    "state": "vivid",
    "strength": 1.0,
    "unit_days": 43.28,
    "retention": 0.98,
    "last_recalled": "2026-03-14",
    "brought_on": None,
    "pinned": False,
    "unkept": False,
    "dims_on": "2026-04-13",
    "archived_on": "2026-06-22",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The responses of a route that are problems, for its description."""
    return {
        status: {
            "description": _MEANINGS[status],
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in statuses
    }


_MEANINGS = {
    400: "The request is not one that can be read.",
    401: "No key, or a wrong one.",
    403: "The host, the site or the key may not do this.",
    404: "There is no such thing, or it is another person's.",
    405: "The path is not asked in this way.",
    413: "The body is too long.",
    422: "The request can be read and says something that cannot be.",
    429: "Too many requests; `Retry-After` says when to come again.",
    502: "The model's answer cannot be used.",
    503: "The store, the model or the embedder is not available; come again.",
}
COMMON = problems(400, 401, 403, 404, 413, 422, 429, 502, 503)
"""What every route that needs a key can answer."""


class OpenAIError(BaseModel):
    """An error as OpenAI's clients read it."""

    error: dict[str, str | None] = Field(
        examples=[
            {
                "message": "There is no companion gpt-4.",
                "type": "invalid_request_error",
                "param": "model",
                "code": "model_not_found",
            }
        ]
    )


OPENAI_COMMON: dict[int | str, dict[str, Any]] = {
    status: {"model": OpenAIError, "description": meaning}
    for status, meaning in _MEANINGS.items()
    if status not in (405, 422)
}
"""What every route of OpenAI's door can answer."""


class Person(BaseModel):
    """One person with one companion, in numbers."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "user": "Ada",
                    "companion": "default",
                    "language": "en",
                    "timezone": "Europe/London",
                    "days": 3,
                    "turns": 12,
                    "summaries": 2,
                    "first": "2026-03-12",
                    "last": "2026-03-14",
                }
            ]
        }
    )
    user: str
    companion: str
    language: Literal["en", "cn"]
    timezone: str
    days: int = Field(description="Days on which something was said.")
    turns: int
    summaries: int = Field(description="Days that are summed up.")
    first: str | None = Field(description="The first of these days.")
    last: str | None = Field(description="The last of them.")


class People(BaseModel):
    """Everyone the key may reach."""

    users: list[Person]


class Deleted(BaseModel):
    """What a deletion took away, and what was found of it afterwards."""

    deleted: list[dict[str, str]] = Field(examples=[[{"user": "Ada", "companion": "default"}]])
    searched: int = Field(description="How many files were searched afterwards.")
    left: int = Field(description="In how many of them something was found; 0 is the proof.")


class StoredTurn(BaseModel):
    """What was said and answered."""

    id: str = Field(examples=["turn-2026-03-14-0-9f3a1c2e"])
    date: str = Field(examples=["2026-03-14"])
    time: str | None = Field(description="In the person's time zone; null where it is not known.")
    said: str
    replied: str
    replied_by: str = Field(description="The model, or `offline`.", examples=["offline"])
    interrupted: bool
    unkept: bool = Field(description="It is not to be remembered; the next night removes it.")
    metadata: dict[str, Any]


class Turns(BaseModel):
    """Turns of a person, oldest first."""

    user: str
    companion: str
    turns: list[StoredTurn]


class KeptTurn(BaseModel):
    """A turn that was stored."""

    turn: StoredTurn
    unkept: list[str] = Field(description="Turns that it asked not to remember.")


class UsedMemory(BaseModel):
    """A memory that a reply was given."""

    id: str
    kind: str
    date: str
    text: str
    score: float
    parts: dict[str, float]


class ModelUsage(BaseModel):
    """What the model that answered took; zeros where none was asked or it does not count."""

    input_tokens: int
    output_tokens: int
    cost: float | None = Field(description="In `currency`; null where no price is known.")
    currency: str | None

    @classmethod
    def of(cls, usage: Usage) -> ModelUsage:
        """The document of what was counted."""
        return cls(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cost=usage.cost,
            currency=usage.currency or None,
        )


class ChatReply(BaseModel):
    """A reply that has ended."""

    reply: str
    turn: str | None = Field(description="The id of the stored turn; null off the record.")
    replied_by: str
    interrupted: bool = Field(description="It was cut off and holds what was said so far.")
    notice: str = Field(description="What became of a wish not to be remembered.")
    usage: ModelUsage
    troubles: list[str] = Field(
        default_factory=list,
        description="What the person should know of this reply: the second model answered and"
        " why, or the limit of length cut it.",
    )
    memories: list[UsedMemory] = Field(description="What the reply was given, best first.")


class MemoryRow(BaseModel):
    """A memory and how vivid it is; further fields by kind."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [_MEMORY]})
    id: str
    kind: str
    date: str
    turn: int | None
    text: str
    state: str
    strength: float
    unit_days: float | None
    retention: float | None
    last_recalled: str
    brought_on: str | None
    pinned: bool
    unkept: bool
    dims_on: str | None
    archived_on: str | None


class Memories(BaseModel):
    """Memories of a person."""

    user: str
    companion: str
    policy: str
    total: int = Field(description="How many there are; the list may be a part of them.")
    memories: list[MemoryRow]


class OneMemory(BaseModel):
    """One memory whole."""

    user: str
    companion: str
    policy: str
    memory: MemoryRow


class Changed(BaseModel):
    """What a change touched."""

    changed: list[str]
    derived: list[str] = Field(
        default=[], description="Texts made of the old words; the next night makes them again."
    )


class Erased(BaseModel):
    """What was erased, and the search that shows that nothing is left."""

    erased: list[str]
    derived: list[str]
    searched: int
    left: int


class RecalledDocument(BaseModel):
    """What `siliconfriend recall --json` prints."""

    model_config = ConfigDict(extra="allow")
    user: str
    companion: str
    query: str
    recipe: str
    now: str
    memories: list[dict[str, Any]]
    facts: list[dict[str, Any]]
    sections: dict[str, str]
    timings_ms: dict[str, float]


class PortraitText(BaseModel):
    """A text of the portrait."""

    id: str = Field(examples=["overall_personality"])
    group: str = Field(examples=["overall"])
    title: str
    text: str
    made_by: str
    from_ids: list[str]


class Portrait(BaseModel):
    """What the companion thinks of the person, on what evidence."""

    user: str
    companion: str
    parts: list[PortraitText]


class NightDocument(BaseModel):
    """How far a night is."""

    id: str
    user: str | None = Field(description="Whose night; null for everyone's.")
    state: Literal["waiting", "running", "done", "failed"]
    doing: str
    done: int
    total: int
    report: dict[str, Any] | None = Field(description="As `nightly --json` prints it.")
    error: str


class Reports(BaseModel):
    """Reports of nights, newest first."""

    reports: list[dict[str, Any]]


class Imported(BaseModel):
    """What an import did."""

    people: list[dict[str, Any]]
    turns: int


class Health(BaseModel):
    """The server answers."""

    status: Literal["ok"] = "ok"
    version: str


class Readiness(BaseModel):
    """What the server needs, each part ready or what is wrong with it."""

    status: Literal["ready", "not ready"]
    parts: dict[str, str]

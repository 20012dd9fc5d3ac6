"""Models of the bodies of requests and responses, for validation and the OpenAPI document."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from siliconfriend.installation.accounts import Key
from siliconfriend.installation.audit import AuditEntry
from siliconfriend.installation.tokens import TokensOfDay
from siliconfriend.models.base import Usage
from siliconfriend.night.person_night import NightOptions
from siliconfriend.person.views import PortraitPart

LONGEST = 100_000
"""Maximum characters of one text in a request."""
LongText = Annotated[str, Field(max_length=LONGEST)]
SomeWords = Annotated[str, Field(min_length=1, max_length=LONGEST)]


class AnswerBody(BaseModel):
    """Body of a response, which can be built from an object with the same attributes."""

    model_config = ConfigDict(from_attributes=True)


class RequestBody(BaseModel):
    """Body of a request; an unknown field is refused by its name."""

    model_config = ConfigDict(extra="forbid")


class PersonSettings(RequestBody):
    """Language and time zone of a person; a chat uses them for a new person only."""

    language: Literal["en", "cn"] | None = None
    timezone: str | None = Field(default=None, max_length=100, examples=["Europe/London"])


class NewPerson(PersonSettings):
    """A new person."""

    name: str = Field(min_length=1, max_length=1000, examples=["Ada"])


class PersonChange(PersonSettings):
    """Changes to a person, for each companion."""

    name: str | None = Field(default=None, max_length=1000, description="The displayed name.")


class Listed(BaseModel):
    """A person and the companions that remember them."""

    user: str
    companions: list[str]


class People(BaseModel):
    """One page of the people that the key may reach."""

    users: list[Listed]
    after: str | None = Field(description="`after` of the next page; null on the last.")


class DeletedPerson(BaseModel):
    """Deleted memories, and the result of searching for remaining words."""

    deleted: list[dict[str, str]] = Field(examples=[[{"user": "Ada", "companion": "default"}]])
    searched: int = Field(description="Number of files searched afterwards.")
    left: int = Field(description="Number of these with remaining words; 0 is the proof.")


class NewKey(RequestBody):
    """A new key of a person; existing keys stay valid."""

    name: str = Field(default="", max_length=200, description="A number by default.")
    days: int | None = Field(default=None, ge=1, le=36_500, description="Days until it expires.")


class PersonKey(BaseModel):
    """A person's key, shown only once; the server keeps its hash."""

    user: str
    key: str


class PersonKeys(BaseModel):
    """The keys of a person, in the order in which they were made."""

    user: str
    keys: list[Key]


class PersonTokens(BaseModel):
    """Tokens of a model by day, newest first."""

    user: str
    limit: int | None = Field(description="Tokens allowed a day; null without a limit.")
    days: list[TokensOfDay]


class NewMessage(PersonSettings):
    """A message to the companion."""

    message: str = Field(examples=["I moved to Lisbon."])
    stream: bool = Field(default=False, description="Answer with server-sent events.")
    off_record: bool = Field(default=False, description="Write nothing.")
    relationship: str = Field(default="", description="Role of the companion in this conversation.")
    style_hint: str = Field(default="", description="Style of this reply.")
    metadata: dict[str, Any] = Field(
        default={}, description="Sent to the model, stored with the turn."
    )


class LoreEntry(BaseModel):
    """A fact that a companion knows, or an event of its life."""

    id: str
    kind: str = Field(examples=["fact", "event"])
    date: str
    text: str


class UsedMemory(LoreEntry):
    """A memory that a reply was given."""

    score: float
    why: Literal["likely", "due", "shown"] = Field(
        description="The reply likely rests on it, it is due, or the model only saw it as well."
    )


class ChatReply(BaseModel):
    """A complete reply."""

    reply: str
    turn: str | None = Field(description="The id of the stored turn; null off the record.")
    replied_by: str
    certainty: Literal["sure", "unsure", "nothing"] | None = Field(
        description="How sure an offline reply is of what it quotes; null with a model."
    )
    interrupted: bool = Field(description="The reply was cut off; it holds the text so far.")
    notice: str = Field(
        description="Effect of a wish not to be remembered; at first, what offline means."
    )
    usage: Usage
    troubles: list[str] = Field(description="Why a second model answered or a limit cut it.")
    memories: list[UsedMemory] = Field(description="Memories given to the reply, best first.")
    rests_on: list[Literal["told", "portrait"]] = Field(
        description="What else the model saw: everything told so far, the portrait."
    )


class NewTurn(PersonSettings):
    """An exchange from another program."""

    said: str = Field(examples=["I moved to Lisbon."])
    replied: LongText = Field(default="", examples=["How do you like it there?"])
    at: str | None = Field(
        default=None,
        description="ISO 8601 or a day, in the person's time zone unless it has an offset.",
    )
    metadata: dict[str, Any] = Field(default={}, description="Stored with the turn.")


class StoredTurn(AnswerBody):
    """A turn."""

    id: str = Field(examples=["turn-2026-03-14-0-9f3a1c2e"])
    date: str = Field(examples=["2026-03-14"])
    time: Annotated[str | None, BeforeValidator(lambda time: time and time.isoformat())] = Field(
        description="In the person's time zone; null if unknown."
    )
    said: str = Field(validation_alias="query")
    replied: str = Field(validation_alias="response")
    replied_by: str = Field(description="The model, or `offline`.", examples=["offline"])
    interrupted: bool
    unkept: bool = Field(description="Not to be remembered; the next night removes the turn.")
    metadata: dict[str, Any]


class Whose(BaseModel):
    """The person and the companion of a memory."""

    user: str
    companion: str


class Turns(Whose):
    """Turns of a person, oldest first."""

    turns: list[StoredTurn]


class KeptTurn(BaseModel):
    """A stored turn."""

    turn: StoredTurn
    unkept: list[str] = Field(description="Ids of turns that the person asked not to remember.")


class SceneEnded(BaseModel):
    """Number of turns that left the conversation."""

    left: int


class DueMatters(AnswerBody):
    """What the companion says first."""

    text: str = Field(description="Empty if nothing is due.")
    silent: str | None = Field(description="Why nothing is said: `off`, `night` or `nothing`.")


class MemoryQuestion(RequestBody):
    """A question to the memory."""

    question: LongText = Field(examples=["Where did I move to?"])
    top: int = Field(default=10, ge=1, le=1000)
    last_reply: LongText = ""
    reinforce: bool = Field(default=False, description="Strengthen likely memories.")


class RecallDocument(Whose):
    """Output of `siliconfriend recall --json`."""

    model_config = ConfigDict(extra="allow")
    query: str
    recipe: str
    now: str
    memories: list[dict[str, Any]] = Field(
        description="Best first; `relevant`: likely meant; `said`, `replied`: the two sides of a turn."
    )
    facts: list[dict[str, Any]]
    own_story: list[str] = Field(description="Matching lore of the companion.")
    sections: dict[str, str]
    timings_ms: dict[str, float]


class ListedMemory(BaseModel):
    """A memory and how vivid it is; further fields as `siliconfriend memories list --json`."""

    model_config = ConfigDict(extra="allow")
    id: str = Field(examples=["turn-2026-03-14-0-9f3a1c2e"])
    kind: str
    date: str
    text: str
    state: str
    retention: float | None
    pinned: bool
    likely: bool = Field(description="Likely what was searched for; always true in a list.")


class Memories(Whose):
    """Memories of a person."""

    policy: str
    total: int = Field(description="Number of all that match; the list may be one part of them.")
    memories: list[ListedMemory]


class OneMemory(Whose):
    """One memory with all its fields."""

    memory: ListedMemory


class NewWords(RequestBody):
    """Corrected words of a memory: `query` or `response` of a turn, else `text`."""

    query: SomeWords | None = None
    response: LongText | None = None
    text: SomeWords | None = None


class Changed(BaseModel):
    """Changed memories."""

    changed: list[str]
    derived: list[str] = Field(default=[], description="Ids that the next night derives again.")


class Erased(AnswerBody):
    """Erased memories, and the result of searching for remaining words."""

    erased: list[str]
    derived: list[str]
    searched: int
    left: int


class Portrait(Whose):
    """Portrait of a person with its evidence."""

    parts: tuple[PortraitPart, ...]


class CompanionNames(BaseModel):
    """Names of all companions, the configured one first."""

    companions: list[str]


class LoreEntries(BaseModel):
    """Lore of a companion."""

    companion: str
    entries: list[LoreEntry]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightOrder(NightOptions):
    """Options of a night: all stages unless some are named; a dry run only reports.

    `today` includes today; `allow_large` lets a large share be forgotten at once.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")


class PastNights(BaseModel):
    """Reports of nights, newest first."""

    reports: list[dict[str, Any]]


class ImportedPeople(BaseModel):
    """Result of an import."""

    people: list[dict[str, Any]]
    turns: int


class Audit(BaseModel):
    """The audit log; people appear as a hash of the name."""

    entries: list[AuditEntry]


class Health(BaseModel):
    """The server answers."""

    status: Literal["ok"] = "ok"
    version: str

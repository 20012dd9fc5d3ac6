"""The forms of requests and answers, as the OpenAPI document describes them."""

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
"""Characters of one text of a request."""
LongText = Annotated[str, Field(max_length=LONGEST)]
SomeWords = Annotated[str, Field(min_length=1, max_length=LONGEST)]


class AnswerBody(BaseModel):
    """A body of an answer; it can be made of an object with its attributes."""

    model_config = ConfigDict(from_attributes=True)


class RequestBody(BaseModel):
    """A body of a request; a field that is not known is refused by its name."""

    model_config = ConfigDict(extra="forbid")


class PersonSettings(RequestBody):
    """Language and time zone of a person; in a talk, of a new one."""

    language: Literal["en", "cn"] | None = None
    timezone: str | None = Field(default=None, max_length=100, examples=["Europe/London"])


class NewPerson(PersonSettings):
    """A person to be met."""

    name: str = Field(min_length=1, max_length=1000, examples=["Ada"])


class PersonChange(PersonSettings):
    """Changes to a person, for each companion."""

    name: str | None = Field(default=None, max_length=1000, description="What they are called.")


class Listed(BaseModel):
    """A person, and the companions that remember them."""

    user: str
    companions: list[str]


class People(BaseModel):
    """One page of the people that the key may reach."""

    users: list[Listed]
    after: str | None = Field(description="`after` of the next page; null on the last.")


class DeletedPerson(BaseModel):
    """Deleted memories, and the search for what is left."""

    deleted: list[dict[str, str]] = Field(examples=[[{"user": "Ada", "companion": "default"}]])
    searched: int = Field(description="How many files were searched afterwards.")
    left: int = Field(description="In how many of them something was found; 0 is the proof.")


class NewKey(RequestBody):
    """A new key of a person; existing keys stay valid."""

    name: str = Field(default="", max_length=200, description="A number unless given.")
    days: int | None = Field(default=None, ge=1, le=36_500, description="It ends after so long.")


class PersonKey(BaseModel):
    """A person's key, shown this once; only its hash is kept."""

    user: str
    key: str


class PersonKeys(BaseModel):
    """The keys of a person, in the order in which they were made."""

    user: str
    keys: list[Key]


class PersonTokens(BaseModel):
    """Tokens of a model by day, newest first."""

    user: str
    limit: int | None = Field(description="Tokens a day; null for any number.")
    days: list[TokensOfDay]


class NewMessage(PersonSettings):
    """A message to the companion."""

    message: str = Field(examples=["I moved to Lisbon."])
    stream: bool = Field(default=False, description="Answer with server-sent events.")
    off_record: bool = Field(default=False, description="Write nothing.")
    relationship: str = Field(default="", description="What the companion is in this talk.")
    style_hint: str = Field(default="", description="How to put this reply.")
    metadata: dict[str, Any] = Field(default={}, description="For the model; kept with the turn.")


class LoreEntry(BaseModel):
    """A thing that a companion knows, or has lived."""

    id: str
    kind: str = Field(examples=["fact", "event"])
    date: str
    text: str


class UsedMemory(LoreEntry):
    """A memory that a reply was given."""

    score: float


class ChatReply(BaseModel):
    """A reply that has ended."""

    reply: str
    turn: str | None = Field(description="The id of the stored turn; null off the record.")
    replied_by: str
    certainty: Literal["sure", "unsure", "nothing"] | None = Field(
        description="How sure an offline reply is of what it quotes; null with a model."
    )
    interrupted: bool = Field(description="It was cut off and holds what was said so far.")
    notice: str = Field(
        description="What became of a wish not to be remembered; first of all, what is offline."
    )
    usage: Usage
    troubles: list[str] = Field(description="A second model answered and why, or a limit cut it.")
    memories: list[UsedMemory] = Field(description="What the reply was given, best first.")


class NewTurn(PersonSettings):
    """An exchange that was held elsewhere."""

    said: str = Field(examples=["I moved to Lisbon."])
    replied: LongText = Field(default="", examples=["How do you like it there?"])
    at: str | None = Field(
        default=None, description="ISO 8601 or a day; without an offset in the person's time zone."
    )
    metadata: dict[str, Any] = Field(default={}, description="Kept with the turn.")


class StoredTurn(AnswerBody):
    """A turn."""

    id: str = Field(examples=["turn-2026-03-14-0-9f3a1c2e"])
    date: str = Field(examples=["2026-03-14"])
    time: Annotated[str | None, BeforeValidator(lambda time: time and time.isoformat())] = Field(
        description="In the person's time zone; null where it is not known."
    )
    said: str = Field(validation_alias="query")
    replied: str = Field(validation_alias="response")
    replied_by: str = Field(description="The model, or `offline`.", examples=["offline"])
    interrupted: bool
    unkept: bool = Field(description="It is not to be remembered; the next night removes it.")
    metadata: dict[str, Any]


class Whose(BaseModel):
    """The person and the companion of a memory."""

    user: str
    companion: str


class Turns(Whose):
    """Turns of a person, oldest first."""

    turns: list[StoredTurn]


class KeptTurn(BaseModel):
    """A turn that was stored."""

    turn: StoredTurn
    unkept: list[str] = Field(description="Turns that it asked not to remember.")


class SceneEnded(BaseModel):
    """Number of turns that left the conversation."""

    left: int


class DueMatters(AnswerBody):
    """Words that the companion says unasked."""

    text: str = Field(description="Empty where there is nothing.")
    silent: str | None = Field(description="Why there is nothing: `off`, `night` or `nothing`.")


class MemoryQuestion(RequestBody):
    """A question to the memory."""

    question: LongText = Field(examples=["Where did I move to?"])
    top: int = Field(default=10, ge=1, le=1000)
    last_reply: LongText = ""
    reinforce: bool = Field(default=False, description="Strengthen what is likely meant.")


class RecallDocument(Whose):
    """Output of `siliconfriend recall --json`."""

    model_config = ConfigDict(extra="allow")
    query: str
    recipe: str
    now: str
    memories: list[dict[str, Any]] = Field(
        description="Best first; `relevant`: likely meant; `said`, `replied`: a turn's words apart."
    )
    facts: list[dict[str, Any]]
    own_story: list[str] = Field(description="What the companion's lore tells of it.")
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
    likely: bool = Field(description="It is likely what was searched for; true in a list.")


class Memories(Whose):
    """Memories of a person."""

    policy: str
    total: int = Field(description="How many there are; the list may be a part of them.")
    memories: list[ListedMemory]


class OneMemory(Whose):
    """One memory whole."""

    memory: ListedMemory


class NewWords(RequestBody):
    """The right words of a memory: of a turn `query` or `response`, of anything else `text`."""

    query: SomeWords | None = None
    response: LongText | None = None
    text: SomeWords | None = None


class Changed(BaseModel):
    """Changed memories."""

    changed: list[str]
    derived: list[str] = Field(default=[], description="Ids of what the next night makes again.")


class Erased(AnswerBody):
    """Erased memories, and the search for what is left."""

    erased: list[str]
    derived: list[str]
    searched: int
    left: int


class Portrait(Whose):
    """Portrait of a person with its evidence."""

    parts: tuple[PortraitPart, ...]


class CompanionNames(BaseModel):
    """The names of all companions, that of the settings first."""

    companions: list[str]


class LoreEntries(BaseModel):
    """Lore of a companion."""

    companion: str
    entries: list[LoreEntry]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightOrder(NightOptions):
    """A night: the stages named, else all; of a dry run only a report; today as if it were over.

    `allow_large` lets a large share be forgotten at once.
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

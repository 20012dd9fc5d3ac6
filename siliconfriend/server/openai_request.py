"""Parse a request to OpenAI's chat completions: options, talk and purpose.

Unsupported parameters are refused by name. A request is conversation unless a header, a response
schema or the exact form of a known client marks it as a task.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.models.base import AnswerOptions
from siliconfriend.models.output import clean
from siliconfriend.server.errors import ProblemError

_ATTACHED = re.compile(
    # Open WebUI: names of files, then what was found in them or on the web
    r"\A(?:<attached_files>.*?</attached_files>\s*)?"
    r"(?:### Task:\s*Respond to the user query using the provided context\b.*</context>\s*)?"
    r"(?:<attached_files>.*?</attached_files>\s*)?"
    # AstrBot and others: who is speaking, and what other people of a group said
    r"|\s*<(system[_-]reminder)>.*?</\1>\s*",
    re.DOTALL,
)
"""Matches text that clients add to a message, which the person did not write."""
_MARK = "[interrupted by user]"
"""The message that Open-LLM-VTuber sends as the user after an interrupted reply."""
_OWN_FIELDS = {"memories": "memories", "offrecord": "off_record"}
_UNSUPPORTED = frozenset(
    [
        "audio",
        "function_call",
        "logit_bias",
        "prediction",
        "reasoning_effort",
        "top_logprobs",
        "web_search_options",
    ]
)
"""OpenAI fields that would change the answer and are not supported."""
_SAMPLING = {"temperature", "top_p", "seed", "presence_penalty", "frequency_penalty"}


class ContentPart(BaseModel):
    """A part of a message; only text is understood."""

    type: str
    text: str | None = None

    @property
    def is_text(self) -> bool:
        """True if it is text."""
        return self.type in ("text", "input_text") and self.text is not None


class CompletionMessage(BaseModel):
    """One message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[ContentPart] | None = None
    name: str | None = None
    tool_calls: list[dict[str, Any]] | None = None

    @property
    def words(self) -> str:
        """The text of the message; other parts are skipped."""
        if isinstance(self.content, list):
            return clean("\n".join(part.text or "" for part in self.content if part.is_text))
        return clean(self.content or "")


class ResponseFormat(BaseModel):
    """The form of the answer."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: dict[str, Any] | None = None


class ChatCompletionRequest(BaseModel):
    """A request as OpenAI describes it; `memories`, `off_record` and the ids of the chat are our own."""

    model_config = ConfigDict(extra="allow")
    model: str = Field(description="A companion, as `/v1/models` lists them.", examples=["default"])
    messages: list[CompletionMessage] = Field(
        min_length=1,
        max_length=10_000,
        examples=[[{"role": "user", "content": "I moved to Lisbon."}]],
    )
    stream: bool | None = False
    stream_options: dict[str, Any] | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, ge=0, le=1)
    max_tokens: int | None = Field(default=None, ge=1, le=1_000_000)
    max_completion_tokens: int | None = Field(default=None, ge=1, le=1_000_000)
    presence_penalty: float | None = Field(default=None, ge=-2, le=2)
    frequency_penalty: float | None = Field(default=None, ge=-2, le=2)
    seed: int | None = Field(default=None, ge=-(2**63), lt=2**63)
    stop: str | Annotated[list[str], Field(max_length=16)] | None = None
    n: Literal[1] | None = None
    user: str | None = Field(
        default=None, max_length=1000, description="Who is speaking, with the operator's key."
    )
    response_format: ResponseFormat | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: Literal["auto", "none", "required"] | dict[str, Any] | None = Field(
        default=None, description="One tool that must be called is the form of the answer."
    )
    modalities: list[Literal["text"]] | None = None
    functions: list[dict[str, Any]] | None = Field(default=None, max_length=0)
    logprobs: Literal[False] | None = None
    metadata: dict[str, Any] | None = Field(default=None, examples=[{"chat_id": "c1"}])
    memories: bool | None = Field(default=None, description="Answer with what the reply was given.")
    off_record: bool | None = Field(default=None, description="Write nothing.")

    def refuse_fields(self) -> None:
        """Refuse unsupported fields, and misspelt names of our own fields.

        A message sent with ``offRecord`` was meant to be off the record.
        """
        for name, value in (self.model_extra or {}).items():
            if value and name in _UNSUPPORTED:
                raise ProblemError(400, "unsupported_field", {"name": name}, param=name)
            meant = _OWN_FIELDS.get(re.sub(r"[\W_]", "", name).casefold())
            if meant is not None:
                raise ProblemError(400, "unknown_field", {"name": name, "meant": meant}, param=name)

    @property
    def tool_asked(self) -> dict[str, Any] | None:
        """The function that must be called, if any.

        Raises:
            ProblemError: it is not among the tools, or one of several must be called.
        """
        choice, tools = self.tool_choice, self.tools or []
        if choice in (None, "auto", "none"):
            return None
        offered = (tool.get("function") for tool in tools)
        functions: list[dict[str, Any]] = [tool for tool in offered if isinstance(tool, dict)]
        if isinstance(choice, dict):
            named = choice.get("function")
            wanted = named.get("name") if isinstance(named, dict) else None
            functions = [tool for tool in functions if tool.get("name") == wanted]
        if len(functions) != 1 or not isinstance(functions[0].get("name"), str):
            raise ProblemError(400, "unsupported_choice", param="tool_choice")
        return functions[0]

    @property
    def schema_asked(self) -> dict[str, Any] | None:
        """The JSON schema of the answer; None for text."""
        if tool := self.tool_asked:
            about = {key: words for key in ("description",) if (words := tool.get(key))}
            return {"type": "object", **about, **(tool.get("parameters") or {})}
        wanted = self.response_format
        if wanted is None or wanted.type == "text":
            return None
        schema = (wanted.json_schema or {}).get("schema")
        return schema if isinstance(schema, dict) else {"type": "object"}

    @property
    def options(self) -> AnswerOptions:
        """The options of the answer."""
        stop = [self.stop] if isinstance(self.stop, str) else self.stop or []
        return AnswerOptions(
            max_tokens=self.max_completion_tokens or self.max_tokens,
            stop=tuple(clean(words) for words in stop if words),
            **self.model_dump(include=_SAMPLING),
        )


@dataclass(frozen=True, slots=True)
class RequestTalk:
    """The messages of a request, as the companion receives them."""

    system: str
    """Text of the system messages, with the greeting of the client's character."""
    history: tuple[Exchange, ...]
    """The exchanges before the last message, oldest first."""
    query: str
    """The last message of the person; empty where the last is not theirs."""


def read_talk(messages: list[CompletionMessage]) -> RequestTalk:
    """Parse the messages into system text, past exchanges and the current message.

    Tool calls and their results are skipped. Consecutive messages of the person are joined. Messages
    of other people in a group, by their names, and the character's opening message become system
    text.

    Raises:
        ProblemError: the newest message of the person contains a part that is not text.
    """
    system, history, said = list[str](), list[Exchange](), list[str]()
    speaker = next((message.name for message in reversed(messages) if message.role == "user"), None)
    newest = max((at for at, message in enumerate(messages) if message.role == "user"), default=-1)
    for number, message in enumerate(messages):
        words, parts = message.words, message.content
        if number == newest and isinstance(parts, list) and not all(part.is_text for part in parts):
            name = f"messages.{number}.content"
            raise ProblemError(400, "unsupported_content", {"name": name}, param=name)
        match message.role:
            case "tool" | "assistant" if message.role == "tool" or message.tool_calls:
                continue
            case "user" if words.strip().casefold() == _MARK:
                continue
            case "user" if message.name != speaker and message.name is not None:
                system.append(f"{message.name}: {words}")  # another person of a group
            case "user":
                system += [found.group().strip() for found in _ATTACHED.finditer(words)]
                own = _ATTACHED.sub("", words)
                said += [own] if own.strip() else []
            case "assistant" if said:
                history.append(Exchange("\n".join(said), words))
                said = []
            case "assistant" if history:
                last = history.pop()
                history.append(Exchange(last.query, f"{last.response}\n{words}".strip()))
            case _:
                system.append(words)
    return RequestTalk(
        system="\n\n".join(words.strip() for words in system if words.strip()),
        history=tuple(history),
        query="\n".join(said).strip(),
    )


TASK_HEADERS = ("x-siliconfriend-task", "x-openwebui-task")
"""Headers that name the task; an empty one marks conversation. Open WebUI can send ``{{TASK}}`` in one."""
TEMPORARY_CHATS = ("temporary:", "local:")
"""Prefixes of the ids of Open WebUI's temporary chats, which it does not store itself."""


Purpose = Literal["talk", "task", "unsure", "private"]
"""Conversation, a task of the client, undecided, or conversation that must not be stored."""
TALK: tuple[Purpose, str] = ("talk", "")


@cache
def _openings() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Load how known clients begin their tasks, as (words, client) by role."""
    text = (resources.files("siliconfriend.server") / "client_tasks.toml").read_text("utf-8")
    tasks = tomllib.loads(text)["task"]
    return {
        role: tuple((words.casefold(), task["client"]) for task in tasks for words in task[role])
        for role in ("system", "user")
    }


def find_purpose(
    request: ChatCompletionRequest, talk: RequestTalk, headers: Mapping[str, str], chat: str
) -> tuple[Purpose, str]:
    """Return the purpose of a request, by the client's header or its form, and the task or reason.

    ``headers`` are in lower case; ``chat`` is the client's id of the chat, or empty.
    """
    task = next((headers[name].strip() for name in TASK_HEADERS if name in headers), None)
    if task:
        return "task", task[:100]
    is_free = request.schema_asked is None
    found = TALK if task == "" and talk.query and is_free else _by_form(request, talk)
    if found == TALK and request.off_record:
        return "private", "off the record"
    if found == TALK and chat.startswith(TEMPORARY_CHATS):
        return "private", "temporary chat"
    return found


def _by_form(request: ChatCompletionRequest, talk: RequestTalk) -> tuple[Purpose, str]:
    """Return the purpose of a request without a header: conversation unless its form is a task's."""
    if request.schema_asked is not None:
        return "task", "structured"
    first, last = request.messages[0], request.messages[-1]
    # An order at the end is a task; one at the beginning is the character, unless a client is known
    # to begin a task so.
    instruction = last.words if last.role in ("system", "developer") else ""
    spoken = {"user": talk.query, "system": first.words if first.role != "user" else ""}
    for role, words in (*spoken.items(), ("system", instruction)):
        start = words.lstrip().casefold()
        for opening, client in _openings()[role]:
            if start.startswith(opening):
                return "task", client
    if not talk.query:
        return ("task", "instruction") if instruction else ("unsure", "continuation")
    return TALK

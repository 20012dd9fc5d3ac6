"""Parse a request to chat completions strictly: what cannot be honoured is refused.

A parameter that was passed over in silence would make a client believe that it got what it
asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.models.options import AnswerOptions
from siliconfriend.models.output import clean
from siliconfriend.server.openai_door.attached import split_attached
from siliconfriend.server.problems import ProblemError

Number = Annotated[float | None, Field(ge=-2, le=2)]

_FREE_CHOICES = (None, "auto", "none")
"""Choices that leave it to the model whether it calls a tool. Open WebUI offers dozens of them
with every message."""


class ContentPart(BaseModel):
    """A part of a message; only text is understood."""

    model_config = ConfigDict(extra="allow")
    type: str
    text: str | None = None


class ChatMessage(BaseModel):
    """One message of the conversation."""

    model_config = ConfigDict(extra="allow")
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[ContentPart] | None = None

    @property
    def calls_tools(self) -> bool:
        """True if the companion asked for a call here instead of answering."""
        return bool((self.model_extra or {}).get("tool_calls"))


class StreamOptions(BaseModel):
    """Options of a stream."""

    include_usage: bool | None = None


class ResponseFormat(BaseModel):
    """The form of the answer."""

    model_config = ConfigDict(extra="allow")
    type: Literal["text", "json_object", "json_schema"]
    json_schema: dict[str, Any] | None = None


class ChatCompletionRequest(BaseModel):
    """A request as OpenAI describes it; `memories` and the ids of the chat are our own."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "model": "default",
                    "messages": [{"role": "user", "content": "I moved to Lisbon."}],
                    "stream": False,
                }
            ]
        },
    )
    model: str = Field(description="A companion, as `/v1/models` lists them.")
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=10_000)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    top_p: Annotated[float | None, Field(ge=0, le=1)] = None
    max_tokens: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    max_completion_tokens: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    presence_penalty: Number = None
    frequency_penalty: Number = None
    seed: Annotated[int | None, Field(ge=-(2**63), lt=2**63)] = None
    stop: str | Annotated[list[str], Field(max_length=16)] | None = None
    n: Annotated[int | None, Field(ge=1, le=128)] = None
    user: Annotated[
        str | None,
        Field(description="Who is speaking; only the operator's key may say so.", max_length=1000),
    ] = None
    response_format: ResponseFormat | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = Field(
        default=None,
        description="Only `auto` and `none` where the companion's model can call no tool.",
    )
    functions: list[dict[str, Any]] | None = None
    logprobs: bool | None = None
    metadata: dict[str, Any] | None = Field(
        default=None, description="`chat_id` and `message_id` name the chat and the message."
    )
    memories: bool | None = Field(
        default=None, description="Give what the reply was given with the answer."
    )

    @property
    def options(self) -> AnswerOptions:
        """The options of the answer."""
        stop = [self.stop] if isinstance(self.stop, str) else self.stop or []
        return AnswerOptions(
            temperature=self.temperature,
            max_tokens=self.max_completion_tokens or self.max_tokens,
            top_p=self.top_p,
            presence_penalty=self.presence_penalty,
            frequency_penalty=self.frequency_penalty,
            seed=self.seed,
            stop=tuple(clean(words) for words in stop if words),
            tools=tuple(self.tools or ()) if self.wants_tools else (),
            tool_choice=self.tool_choice,
            tool_messages=self._tool_messages(),
        )

    @property
    def wants_tools(self) -> bool:
        """True if the model may call something."""
        return bool(self.tools) and self.tool_choice != "none"

    @property
    def must_call(self) -> bool:
        """True if an answer without a call would not be what was asked for."""
        return bool(self.tools) and self.tool_choice not in _FREE_CHOICES

    def _tool_messages(self) -> tuple[dict[str, Any], ...]:
        """The calls made for the last message of the person so far, and what they gave."""
        said = [at for at, message in enumerate(self.messages) if message.role == "user"]
        rest = self.messages[said[-1] + 1 :] if said else []
        if not any(message.role == "tool" for message in rest):
            return ()
        return tuple(message.model_dump(exclude_none=True) for message in rest)

    def check(self) -> None:
        """Refuse what no companion can honour.

        Raises:
            ProblemError: there is something of it; ``param`` names it.
        """
        wants = {
            "n": (self.n or 1) > 1,
            "logprobs": bool(self.logprobs),
            "functions": bool(self.functions),
        }
        for name, is_wanted in wants.items():
            if is_wanted:
                raise ProblemError(400, "unsupported_parameter", {"name": name}, param=name)


@dataclass(frozen=True, slots=True)
class Talk:
    """The messages of a request, as a companion hears them.

    Attributes:
        system: what system messages say, with the first words of the client's character.
        history: the exchanges before the last message, oldest first.
        query: the last message of the person; empty where the last is not theirs.
    """

    system: str
    history: tuple[Exchange, ...]
    query: str


def read_talk(messages: list[ChatMessage]) -> Talk:
    """Read the messages: what the system says, the exchanges, and what is said now.

    Calls of tools and what they gave belong to the message before them and are no exchange.
    Several messages of the person in a row are one. What the character says before anyone
    else is a part of its manner: no person said anything that it answers. Pictures that an
    earlier message holds are passed over.

    Raises:
        ProblemError: the newest message of the person holds something else than text.
    """
    system: list[str] = []
    history: list[Exchange] = []
    said: list[str] = []
    newest = max((at for at, it in enumerate(messages) if it.role == "user"), default=-1)
    for number, message in enumerate(messages):
        words = _text(message, number, is_new=number == newest)
        match message.role:
            case "system" | "developer":
                system.append(words)
            case "user":
                attached, words = split_attached(words)
                system.append(attached)
                said += [words] if words else []
            case "tool":
                continue
            case "assistant" if message.calls_tools:
                continue
            case "assistant" if said:
                history.append(Exchange("\n".join(said), words))
                said = []
            case "assistant" if history:
                last = history.pop()
                history.append(Exchange(last.query, f"{last.response}\n{words}".strip()))
            case "assistant":
                system.append(words)
            case _:
                raise _unsupported(f"messages.{number}.role")
    return Talk(
        system="\n\n".join(words.strip() for words in system if words.strip()),
        history=tuple(history),
        query="\n".join(said).strip(),
    )


def _text(message: ChatMessage, number: int, *, is_new: bool) -> str:
    if isinstance(message.content, str) or message.content is None:
        return clean(message.content or "")
    words = []
    for part in message.content:
        if part.type in ("text", "input_text") and part.text is not None:
            words.append(clean(part.text))
        elif is_new:
            raise _unsupported(f"messages.{number}.content")
    return "\n".join(words)


def _unsupported(name: str) -> ProblemError:
    return ProblemError(400, "unsupported_content", {"name": name}, param=name)

"""Talk with a companion: a reply in one piece, or piece by piece as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Generator
from contextlib import aclosing
from time import perf_counter
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.control.listing import words_of
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.reply import Reply
from siliconfriend.memory.records import Memory, kind_of
from siliconfriend.server import sse
from siliconfriend.server.context import (
    AskedLanguage,
    Context,
    MetMemory,
    Reached,
    ServerContext,
)
from siliconfriend.server.documents import COMMON, ChatReply, ModelUsage, UsedMemory
from siliconfriend.server.problems import problem_of
from siliconfriend.texts import Language

router = APIRouter(prefix="/v1/people/{person}", tags=["chat"], responses=COMMON)


class ChatMessage(BaseModel):
    """A message to the companion."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": "I moved to Lisbon.", "stream": False}]}
    )
    message: Annotated[str, Field(min_length=1, max_length=100_000)]
    stream: bool = Field(default=False, description="Answer with server-sent events.")
    off_record: bool = Field(default=False, description="Write nothing.")
    relationship: str = Field(default="", description="What the companion is in this talk.")
    style_hint: str = Field(default="", description="How to put this reply.")
    metadata: dict[str, Any] = Field(
        default={}, description="Told to the model, kept with the turn."
    )
    language: Literal["en", "cn"] | None = Field(default=None, description="For who is new.")


@router.post(
    "/chat",
    summary="Talk with the companion",
    response_model=ChatReply,
    responses={
        200: {
            "content": {
                sse.MEDIA_TYPE: {
                    "schema": sse.EVENT,
                    "example": 'event: piece\ndata: {"text": "How do "}\n\n',
                }
            },
            "description": "The reply; with `stream` the events `piece`, then `done` or `error`.",
        }
    },
)
async def chat(
    context: Context, reached: MetMemory, language: AskedLanguage, asked: ChatMessage
) -> Response:
    """Answer a message. It is on disk before a model hears it, and so is what was answered.

    A client that leaves in mid-stream ends the reply; what was said until then is kept.
    """
    began, talk = perf_counter(), _Talk(reached, asked)
    reply = context.replies.start(talk.pieces)
    if asked.stream:
        pieces = await reply.begun()
        context.metrics.first_piece.observe(perf_counter() - began)
        return sse.event_stream(_events(context, pieces, talk, language))
    await reply.text()
    context.metrics.replies.labels(talk.kind).inc()
    return JSONResponse(talk.document().model_dump())


async def _events(
    context: ServerContext, pieces: AsyncGenerator[str, None], talk: _Talk, language: Language
) -> AsyncIterator[str]:
    try:
        async with aclosing(pieces) as incoming:
            async for piece in incoming:
                yield sse.event({"text": piece}, "piece") if piece else sse.KEEP_ALIVE
    except Exception as error:  # the status is sent already; the client must learn it all the same
        status, code, detail = problem_of(error, language)
        yield sse.event({"status": status, "code": code, "detail": detail}, "error")
        return
    context.metrics.replies.labels(talk.kind).inc()
    yield sse.event(talk.document().model_dump(), "done")


class _Talk:
    """One message on its way: the companion that answers it, and the reply once it has ended."""

    def __init__(self, reached: Reached, asked: ChatMessage) -> None:
        self._reached, self._asked = reached, asked
        self._companion: Companion | None = None
        self.kind = "off_record" if asked.off_record else "remembered"

    def pieces(self) -> Generator[str, None, None]:
        asked = self._asked
        self._companion = Companion(
            self._reached.scope.person, runtime=self._reached.runtime, language=asked.language
        )
        yield from self._companion.stream(
            asked.message,
            off_record=asked.off_record,
            relationship=asked.relationship,
            style_hint=asked.style_hint,
            metadata=asked.metadata,
        )

    def document(self) -> ChatReply:
        assert self._companion is not None
        reply = self._companion.last_reply
        assert reply is not None
        return ChatReply(
            reply=reply.text,
            turn=reply.turn.id if reply.turn else None,
            replied_by=reply.replied_by,
            interrupted=reply.interrupted,
            notice=self._companion.notice,
            troubles=list(self._companion.troubles),
            usage=ModelUsage.of(reply.usage),
            memories=used_memories(reply),
        )


def used_memories(reply: Reply) -> list[UsedMemory]:
    """The memories that a reply was given, with their words, best first."""
    recalled = (*reply.recalled.memories, *reply.recalled.facts)
    found: dict[str, Memory] = {it.memory.id: it.memory for it in recalled}
    return [
        UsedMemory(
            id=used.id,
            kind=kind_of(found[used.id]),
            date=found[used.id].date,
            text=words_of(found[used.id]),
            score=used.score,
            parts=dict(used.parts),
        )
        for used in reply.used
        if used.id in found
    ]

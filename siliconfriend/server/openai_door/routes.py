"""The paths of OpenAI's door: models, chat completions and embeddings."""

from __future__ import annotations

import base64
import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from time import perf_counter
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.models.output import clean
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.server import sse
from siliconfriend.server.context import AskedLanguage, Asking, Context, ServerContext
from siliconfriend.server.documents import OPENAI_COMMON
from siliconfriend.server.openai_door.completion import Completion
from siliconfriend.server.openai_door.request import ChatCompletionRequest
from siliconfriend.server.problems import ProblemError, openai_error, problem_of
from siliconfriend.texts import Language

router = APIRouter(prefix="/v1", tags=["OpenAI"], responses=OPENAI_COMMON)


class Model(BaseModel):
    """A companion, as a model."""

    id: str = Field(examples=["default"])
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "siliconfriend"


class Models(BaseModel):
    """All companions."""

    object: Literal["list"] = "list"
    data: list[Model]


class EmbeddingsRequest(BaseModel):
    """Texts to be embedded by the embedder of the settings."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"examples": [{"model": "bundled", "input": ["I moved to Lisbon."]}]},
    )
    model: str
    input: str | Annotated[list[str], Field(min_length=1, max_length=2048)]
    encoding_format: Literal["float", "base64"] | None = "float"
    dimensions: int | None = None
    input_type: Literal["query", "passage"] | None = None


class Embeddings(BaseModel):
    """Vectors of length 1."""

    object: Literal["list"] = "list"
    model: str
    data: list[dict[str, Any]]
    usage: dict[str, int]


class CompletionAnswer(BaseModel):
    """An answer as OpenAI describes it, with what became of it."""

    model_config = ConfigDict(extra="allow")
    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[dict[str, Any]]
    usage: dict[str, int]
    siliconfriend: dict[str, Any] = Field(
        description="Whether it was remembered, the turn's id, and why not where it was not."
    )


@router.get("/models", summary="The companions")
def list_models(context: Context) -> Models:
    """Each companion is a model."""
    return Models(data=[Model(id=name) for name in context.companions()])


@router.get("/models/{model}", summary="One companion")
def show_model(context: Context, model: str) -> Model:
    """A companion as a model."""
    if model not in context.companions():
        raise ProblemError(404, "model_not_found", {"name": model}, param="model")
    return Model(id=model)


@router.post(
    "/chat/completions",
    summary="Talk with a companion as with a model of OpenAI's",
    response_model=CompletionAnswer,
    responses={
        200: {
            "content": {sse.MEDIA_TYPE: {"schema": sse.EVENT}},
            "description": "The answer; with `stream` chunks as OpenAI sends them.",
        }
    },
)
async def complete(
    context: Context,
    caller: Asking,
    language: AskedLanguage,
    http: Request,
    request: ChatCompletionRequest,
) -> Response:
    """Answer as the companion, with what it remembers; see the page on clients for what is kept."""
    began = perf_counter()
    completion = Completion(context, caller, request, http.headers)
    head = {
        "id": f"chatcmpl-{secrets.token_hex(12)}",
        "created": int(context.runtime.clock.now(context.settings.zone).timestamp()),
        "model": request.model,
    }
    reply = context.replies.start(completion.pieces)
    if request.stream:
        wants_usage = bool(request.stream_options and request.stream_options.include_usage)
        chunks = _Chunks(head, wants_usage=wants_usage)
        pieces = await reply.begun()
        context.metrics.first_piece.observe(perf_counter() - began)
        return sse.event_stream(_stream(context, pieces, completion, chunks, language))
    words = await reply.text()
    _count(context, completion)
    message: dict[str, Any] = {"role": "assistant", "content": words, "refusal": None}
    if completion.tool_calls:
        message |= {"content": words or None, "tool_calls": completion.tool_calls}
    choice = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": completion.finish_reason,
    }
    answer = {**head, "object": "chat.completion", "choices": [choice], "usage": completion.usage}
    return JSONResponse({**answer, **completion.extras()})


@router.post("/embeddings", summary="Embed texts")
def embed(context: Context, request: EmbeddingsRequest) -> Embeddings:
    """Vectors of the embedder that finds memories."""
    embedder = context.runtime.embedder
    if embedder is None:
        raise ProblemError(400, "no_embedder", param="model")
    if request.model not in (embedder.name, context.settings.embedding):
        raise ProblemError(404, "model_not_found", {"name": request.model}, param="model")
    if request.dimensions not in (None, embedder.dimension):
        name = {"name": "dimensions"}
        raise ProblemError(400, "unsupported_parameter", name, param="dimensions")
    texts = [request.input] if isinstance(request.input, str) else request.input
    texts = [clean(words) for words in texts]
    make = embedder.queries if request.input_type == "query" else embedder.passages
    vectors = np.asarray(make(texts), dtype=np.float32)
    tokens = sum(map(estimate_tokens, texts))
    is_packed = request.encoding_format == "base64"
    return Embeddings(
        model=request.model,
        data=[
            {
                "object": "embedding",
                "index": number,
                "embedding": (
                    base64.b64encode(vector.astype("<f4").tobytes()).decode()
                    if is_packed
                    else vector.tolist()
                ),
            }
            for number, vector in enumerate(vectors)
        ],
        usage={"prompt_tokens": tokens, "total_tokens": tokens},
    )


class _Chunks:
    """Writes the chunks of one stream."""

    def __init__(self, head: dict[str, Any], *, wants_usage: bool) -> None:
        self._head = {**head, "object": "chat.completion.chunk"}
        self._wants_usage = wants_usage

    def piece(self, finish_reason: str | None = None, **delta: object) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        chunk: dict[str, Any] = {**self._head, "choices": [choice]}
        return {**chunk, "usage": None} if self._wants_usage else chunk

    def usage(self, usage: dict[str, int]) -> dict[str, Any] | None:
        return {**self._head, "choices": [], "usage": usage} if self._wants_usage else None


async def _stream(
    context: ServerContext,
    pieces: AsyncGenerator[str, None],
    completion: Completion,
    chunks: _Chunks,
    language: Language,
) -> AsyncIterator[str]:
    yield sse.event(chunks.piece(role="assistant", content=""))
    try:
        async with aclosing(pieces) as incoming:
            async for piece in incoming:
                yield sse.event(chunks.piece(content=piece)) if piece else sse.KEEP_ALIVE
    except Exception as error:  # the status is sent already; the client must learn it all the same
        status, code, detail = problem_of(error, language)
        yield sse.event(openai_error(status, code, detail))
        return
    _count(context, completion)
    if completion.tool_calls:
        calls = [{"index": at, **call} for at, call in enumerate(completion.tool_calls)]
        yield sse.event(chunks.piece(tool_calls=calls))
    yield sse.event({**chunks.piece(completion.finish_reason), **completion.extras()})
    if (usage := chunks.usage(completion.usage)) is not None:
        yield sse.event(usage)
    yield sse.event("[DONE]")


def _count(context: ServerContext, completion: Completion) -> None:
    context.metrics.replies.labels(completion.kind).inc()
    for direction in ("prompt", "completion"):
        counted = completion.usage[f"{direction}_tokens"]
        context.metrics.tokens.labels(direction).inc(counted)

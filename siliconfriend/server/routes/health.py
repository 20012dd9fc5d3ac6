"""Whether the server lives, whether it can work, and its metrics."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from siliconfriend import __version__
from siliconfriend.errors import SiliconFriendError
from siliconfriend.server.context import AskedLanguage, Context, ServerContext, require_operator
from siliconfriend.server.documents import COMMON, Health, Readiness, problems
from siliconfriend.texts import Language

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"

public = APIRouter(tags=["server"], responses=problems(400, 403, 413))
guarded = APIRouter(tags=["server"], responses=COMMON)


@public.get("/health", include_in_schema=False)
@public.get("/v1/health", summary="Is the server alive?")
async def health() -> Health:
    """Answer at once, whatever the store and the model do; needs no key."""
    return Health(version=__version__)


@public.get("/ready", include_in_schema=False)
@public.get(
    "/v1/ready",
    summary="Can the server work?",
    response_model=Readiness,
    responses={503: {"model": Readiness, "description": "A part is not ready."}},
)
def ready(context: Context, language: AskedLanguage) -> Response:
    """Open the store, the model and the embedder and say which is not there; needs no key."""
    parts = {name: _state_of(name, context, language) for name in ("store", "model", "embedder")}
    is_ready = all(state == "ok" for state in parts.values())
    body = Readiness(status="ready" if is_ready else "not ready", parts=parts)
    return JSONResponse(body.model_dump(), 200 if is_ready else 503)


@guarded.get("/metrics", include_in_schema=False, dependencies=[Depends(require_operator)])
@guarded.get(
    "/v1/metrics",
    summary="Metrics in Prometheus' format",
    dependencies=[Depends(require_operator)],
    response_class=PlainTextResponse,
)
def metrics(context: Context) -> Response:
    """Counts and times of this process; only for the operator's key."""
    context.metrics.running.set(context.replies.count)
    return Response(context.metrics.render(), media_type=PROMETHEUS)


def _state_of(part: str, context: ServerContext, language: Language) -> str:
    """``ok``, or the sentence that says what is wrong, without anybody's name."""
    runtime = context.runtime
    try:
        match part:
            case "store":
                runtime.store.unreadable()
            case "model":
                _ = runtime.chat
            case "embedder":
                _ = runtime.recaller
    except SiliconFriendError as error:
        return error.message(language)
    return "ok"

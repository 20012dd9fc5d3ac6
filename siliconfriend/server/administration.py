"""Paths for the operator: health, metrics, audit log, keys and tokens."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from siliconfriend import __version__
from siliconfriend.errors import UsageError
from siliconfriend.server import schemas
from siliconfriend.server.access import AskingClient, Operator, Reached
from siliconfriend.server.errors import PROBLEMS

public = APIRouter(tags=["server"], responses=PROBLEMS)
router = APIRouter(prefix="/v1", responses=PROBLEMS)
of_person = APIRouter(prefix="/v1/people/{person}", responses=PROBLEMS)


@public.head("/v1/health", include_in_schema=False)
@public.api_route("/health", methods=["GET", "HEAD"], include_in_schema=False)
@public.get("/v1/health")
async def health() -> schemas.Health:
    """Answer at once, without asking the store or the model; needs no key."""
    return schemas.Health(version=__version__)


@public.get("/ready", include_in_schema=False)
@public.get("/v1/ready")
def ready(client: AskingClient) -> Response:
    """Answer 503 with what is missing while the store, the model or the embedder fails; needs no key."""
    if missing := client.bank.missing():
        return JSONResponse({"missing": missing}, 503, {"Retry-After": "5"})
    return JSONResponse(schemas.Health(version=__version__).model_dump())


@public.get("/metrics", include_in_schema=False)
def metrics(_client: Operator, request: Request) -> Response:
    """Show the metrics in Prometheus' text format; for the operator's key."""
    written = request.app.state.metrics.text()
    return Response(written, media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/audit", tags=["health"])
def audit(client: Operator) -> schemas.Audit:
    """List erasures, deletions, exports and key changes, newest first."""
    return schemas.Audit(entries=client.bank.installation.audit.entries())


@of_person.get("/keys", tags=["people"])
def list_keys(reached: Reached, client: Operator) -> schemas.PersonKeys:
    """List a person's keys by name, without their secrets. Only for the operator's key."""
    person = reached.scope.person
    return schemas.PersonKeys(user=person, keys=client.bank.installation.keys.of(person))


@of_person.post("/key", tags=["people"], status_code=201)
def make_key(
    reached: Reached, client: Operator, new: schemas.NewKey | None = None
) -> schemas.PersonKey:
    """Make a key of a person; earlier ones keep working. Only for the operator's key."""
    person, order = reached.scope.person, new or schemas.NewKey()
    made = client.bank.installation.keys.make_for(person, order.name, days=order.days)
    return schemas.PersonKey(user=person, key=made)


@of_person.delete("/key", tags=["people"], status_code=204)
def remove_key(
    reached: Reached,
    client: Operator,
    name: Annotated[str, Query(description="Only the key of this name.")] = "",
) -> None:
    """End a key of a person, or all of them. Only for the operator's key."""
    person = reached.scope.person
    if not client.bank.installation.keys.remove(person, name) and name:
        raise UsageError("key_nobody", name=person)


@of_person.get("/tokens", tags=["people"])
def show_tokens(client: AskingClient, reached: Reached) -> schemas.PersonTokens:
    """Show the tokens of replies to a person by day; those of a night are in its report."""
    person, bank = reached.scope.person, client.bank
    days = bank.installation.tokens.of(person)
    return schemas.PersonTokens(user=person, limit=bank.settings.tokens_a_day, days=days)

"""Recall: what would be remembered, with the parts of each score."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.control.recall_document import recall_document
from siliconfriend.lore.companions import companion_name
from siliconfriend.models.output import clean
from siliconfriend.recall.cue import Utterance
from siliconfriend.server.context import ReachedMemory
from siliconfriend.server.documents import COMMON, RecalledDocument

router = APIRouter(prefix="/v1/people/{person}", tags=["recall"], responses=COMMON)


class Question(BaseModel):
    """A question to the memory."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"question": "Where did I move to?", "top": 5}]}
    )
    question: Annotated[str, Field(max_length=100_000)]
    top: Annotated[int, Field(ge=1, le=1000)] = 10
    recipe: Annotated[str, Field(max_length=100)] = "siliconfriend"
    last_reply: Annotated[str, Field(max_length=100_000)] = ""
    reinforce: bool = Field(default=False, description="Strengthen what is found.")


@router.post("/recall", summary="What would be remembered")
def recall(reached: ReachedMemory, asked: Question) -> RecalledDocument:
    """Recall without changing anything, unless `reinforce` is set."""
    runtime, scope = reached.runtime, reached.scope
    memory = reached.memory()
    last_reply = clean(asked.last_reply)
    found = runtime.recaller.recall(
        scope,
        clean(asked.question),
        now=reached.now(memory),
        top=asked.top,
        recipe=asked.recipe,
        talk=[Utterance(last_reply, is_reply=True)] if last_reply else (),
        companion_name=companion_name(runtime.settings, scope.companion, memory.profile.language),
    )
    if asked.reinforce:
        runtime.recaller.reinforce(scope, found, now=reached.now(memory))
    document = recall_document(scope, found, memory, runtime.settings)
    return RecalledDocument.model_validate(document)

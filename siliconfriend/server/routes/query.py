"""The query service of a virtual human's dynamic memory: ``/query`` and what belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.keys import Caller
from siliconfriend.lore.companions import companion_name
from siliconfriend.models.output import clean
from siliconfriend.recall.expansion import Expansion, expand
from siliconfriend.recall.results import Recalled, RecallResult
from siliconfriend.server.context import Asking, Context, Reached, ServerContext
from siliconfriend.server.documents import COMMON
from siliconfriend.server.problems import ProblemError
from siliconfriend.server.query_document import (
    additional_info,
    entity_document,
    event_document,
    expansion_document,
)
from siliconfriend.server.query_score import THRESHOLD, calibrate

WORDS = 100
"""Expanded words of a query."""
CONSIDERED = 100
"""Memories below the relevance threshold that a lower threshold can let in."""

router = APIRouter(tags=["query"], responses=COMMON)

User = Annotated[
    str | None,
    Field(description="Whose memory; the key's person unless given.", max_length=1000),
]


class Query(BaseModel):
    """A query to the memory."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "红色", "limit": 5, "score_threshold": 0.56}]}
    )
    query: Annotated[str, Field(max_length=100_000)]
    limit: Annotated[int, Field(ge=1, le=1000)] = 5
    score_threshold: Annotated[
        float, Field(ge=0, le=1, description="The greater, the less is let in.")
    ] = THRESHOLD
    user: User = None
    companion: str | None = None


class QueryAnswer(BaseModel):
    """What a query brought to mind, best first."""

    memory_events: list[dict[str, Any]]
    memory_entities: list[dict[str, Any]]
    additional_info: dict[str, Any]


class SimpleAnswer(BaseModel):
    """The contents alone."""

    memory_events: list[str]
    memory_entities: list[str]


class ExpandWords(BaseModel):
    """A sentence whose words bring others to mind."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "sentence": "前缀可能是人为加上的标识",
                    "chinese_rd_count": 100,
                    "logic_type": "second",
                    "filter_values": [1],
                }
            ]
        }
    )
    sentence: Annotated[str, Field(max_length=100_000)]
    chinese_rd_count: Annotated[int, Field(ge=0, le=10_000, description="At most so many.")] = 100
    logic_type: Literal["first", "second", "mixed"] = "first"
    filter_values: list[Annotated[int, Field(ge=0, le=9)]] = Field(
        default=[0], description="Levels that are left out; `[0]` leaves out none."
    )
    user: User = None
    companion: str | None = None


class ExpandedWords(BaseModel):
    """What became of a sentence; each expanded word with its level."""

    model_config = ConfigDict(populate_by_name=True)
    original: list[str] = Field(alias="原始关键词列表")
    put_in: list[str] = Field(alias="输入的单词列表")
    expanded: list[dict[str, int]] = Field(alias="扩展的联想词列表")


@router.post("/query", include_in_schema=False)
@router.post("/v1/query", summary="What a query brings to mind")
def query(context: Context, caller: Asking, asked: Query) -> QueryAnswer:
    """Events, what is known, the words of the query and how long each step took.

    Looking changes nothing. Scores lie between 0 and 1 for each query; 0.56 is where a chat's
    own relevance threshold lies.
    """
    found = _find(context, caller, asked)
    zone = found.zone
    return QueryAnswer(
        memory_events=[
            event_document(number, recalled.memory, score, zone)
            for number, (recalled, score) in enumerate(found.events)
        ],
        memory_entities=[
            entity_document(number, recalled, found.words, zone)
            for number, recalled in enumerate(found.entities)
        ],
        additional_info=additional_info(found.recalled, found.expansion, found.expansion_ms),
    )


@router.post("/query_simple", include_in_schema=False)
@router.post("/v1/query_simple", summary="The contents alone of what a query brings to mind")
def query_simple(context: Context, caller: Asking, asked: Query) -> SimpleAnswer:
    """As `/v1/query`, with nothing but the words."""
    whole = query(context, caller, asked)
    return SimpleAnswer(
        memory_events=[it["description"] for it in whole.memory_events],
        memory_entities=[it["description"] for it in whole.memory_entities],
    )


@router.post("/expand_words", include_in_schema=False)
@router.post("/v1/expand_words", summary="The words that come to mind with those of a sentence")
def expand_words(context: Context, caller: Asking, asked: ExpandWords) -> ExpandedWords:
    """By the operator's table of associated words, else by what a person's memory gives."""
    name = asked.user or caller.person
    if name is None:
        table = context.runtime.association_table()
    else:
        reached = context.reach(caller, name, asked.companion)
        table = reached.runtime.recaller.associations(reached.scope)
    expansion = expand(
        clean(asked.sentence),
        asked.chinese_rd_count,
        asked.logic_type,
        asked.filter_values,
        table=table,
    )
    return ExpandedWords.model_validate(expansion_document(expansion))


@dataclass(frozen=True, slots=True)
class _Found:
    """What a query found, before it is written."""

    events: list[tuple[Recalled, float]]
    entities: list[Recalled]
    recalled: RecallResult
    expansion: Expansion
    expansion_ms: float
    zone: Any

    @property
    def words(self) -> list[str]:
        """The words that were searched for, those of the query first."""
        expanded = [word for word, _ in self.expansion.expanded_words]
        return list(dict.fromkeys([*self.expansion.input_words, *expanded]))


def _find(context: ServerContext, caller: Caller, asked: Query) -> _Found:
    reached = _reach(context, caller, asked)
    memory, recaller = reached.memory(), reached.runtime.recaller
    words, now = clean(asked.query), reached.now(memory)
    settings, language = reached.runtime.settings, memory.profile.language
    name = companion_name(settings, reached.scope.companion, language)

    def recall(*, use_threshold: bool) -> RecallResult:
        return recaller.recall(
            reached.scope,
            words,
            now=now,
            top=max(asked.limit, CONSIDERED),
            top_facts=asked.limit,
            use_threshold=use_threshold,
            companion_name=name,
        )

    recalled = recall(use_threshold=True)
    ranked, passed = list(recalled.memories), {it.memory.id for it in recalled.memories}
    if asked.score_threshold < THRESHOLD:
        others = recall(use_threshold=False).memories
        ranked += [it for it in others if it.memory.id not in passed]
    scores = calibrate([it.score for it in ranked], len(passed))
    events = [
        (it, score)
        for it, score in zip(ranked, scores, strict=True)
        if score >= asked.score_threshold
    ]
    began = perf_counter()
    expansion = expand(words, WORDS, "second", table=recaller.associations(reached.scope))
    took = (perf_counter() - began) * 1000
    entities = list(recalled.facts)[: asked.limit]
    return _Found(events[: asked.limit], entities, recalled, expansion, took, memory.profile.zone)


def _reach(context: ServerContext, caller: Caller, asked: Query) -> Reached:
    name = asked.user or caller.person or context.settings.user
    if not name:
        raise ProblemError(422, "nobody_asked")
    return context.reach(caller, name, asked.companion)

"""The query service of a virtual human's dynamic memory: ``/query``, ``/query_simple``, ``/expand_words``.

Programs were written against these fields, the Chinese ones among them. ``score`` is how likely
the memory is what the query means, 0 to 1.
"""

from collections.abc import Collection
from time import perf_counter
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from siliconfriend.clock import format_timestamp
from siliconfriend.language.words import word_set
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import Turn
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.results import Recalled
from siliconfriend.seeds.from_memory import expand, keywords, table_in
from siliconfriend.server.access import AskingClient
from siliconfriend.server.errors import PROBLEMS
from siliconfriend.server.schemas import LongText, RequestBody

SEARCHED = ("分词", "给联想的基词", "扩展后联想词")
EXPANDED = ("原始关键词列表", "输入的单词列表", "扩展的联想词列表")
router = APIRouter(tags=["query"], responses=PROBLEMS)


class Query(RequestBody):
    """A query to the memory."""

    user: str | None = Field(default=None, description="The key's person unless given.")
    companion: str | None = None
    query: LongText = Field(examples=["红色"])
    limit: int = Field(default=5, ge=1, le=1000)
    score_threshold: float = Field(default=0.0, ge=0, le=1)


class QueryAnswer(BaseModel):
    """Memories found for a query, best first."""

    memory_events: list[dict[str, Any]]
    memory_entities: list[dict[str, Any]]
    official_answers: list[str] = Field(description="What the companion's lore says of it.")
    additional_info: dict[str, Any]


class ExpandWords(RequestBody):
    """A sentence whose words are expanded."""

    sentence: LongText = Field(examples=["前缀可能是人为加上的标识"])
    chinese_rd_count: int = Field(default=100, ge=0, le=10_000, description="At most so many.")
    logic_type: Literal["first", "second", "mixed"] = "first"
    filter_values: list[Annotated[int, Field(ge=0, le=9)]] = Field(
        default=[0], description="Levels that are left out; `[0]` leaves out none."
    )


@router.post("/query", include_in_schema=False)
@router.post("/v1/query")
def query_memory(client: AskingClient, asked: Query) -> QueryAnswer:
    """Find events and what is known for a query, with its words; looking changes nothing."""
    person = client.reach(asked.user, asked.companion)
    found = person.recall(asked.query, top=asked.limit)
    began = perf_counter()
    expansion = expand(asked.query, 100, "second", table=table_in(client.bank.settings.home))
    took = {**found.timings_ms, "扩词算法": (perf_counter() - began) * 1000}
    likely = [hit for hit in found.memories if round(hit.likelihood, 4) >= asked.score_threshold]
    facts = found.facts[: asked.limit]
    searched = [*expansion.input_words, *(word for word, _ in expansion.expanded_words)]
    return QueryAnswer(
        memory_events=[
            _event(number, recalled, person, client.bank) for number, recalled in enumerate(likely)
        ],
        memory_entities=[_entity(number, fact, searched) for number, fact in enumerate(facts)],
        official_answers=[entry.text for entry in person.own_story(asked.query)],
        additional_info={
            "检索耗时": {name: f"{milliseconds:.2f} 毫秒" for name, milliseconds in took.items()},
            "query": found.query,
            **dict(zip(SEARCHED, expansion.to_json().values(), strict=True)),
        },
    )


@router.post("/query_simple", include_in_schema=False)
@router.post("/v1/query_simple")
def query_simple(client: AskingClient, asked: Query) -> dict[str, list[str]]:
    """Find the same as `/v1/query`, and give nothing but the words."""
    whole = query_memory(client, asked)
    rows = {"memory_events": whole.memory_events, "memory_entities": whole.memory_entities}
    return {name: [row["description"] for row in found] for name, found in rows.items()}


@router.post("/expand_words", include_in_schema=False)
@router.post("/v1/expand_words")
def expand_words(client: AskingClient, asked: ExpandWords) -> dict[str, Any]:
    """Expand words by the operator's table of associations, else by the built-in one.

    The answer has the words of the sentence, those that were expanded, and what they brought to
    mind, each with its level.
    """
    table = table_in(client.bank.settings.home)
    limits = (asked.chinese_rd_count, asked.logic_type, asked.filter_values)
    found = expand(asked.sentence, *limits, table=table)
    return dict(zip(EXPANDED, found.to_json().values(), strict=True))


def _event(number: int, recalled: Recalled, person: Person, bank: MemoryBank) -> dict[str, Any]:
    """Serialize one of ``memory_events``; the moment is the day alone where no time is known."""
    memory, description = recalled.memory, recalled.memory.text
    event = memory if isinstance(memory, Event) else None
    place, insight = (event.place, event.insight) if event else ("", "")
    time = memory.time if isinstance(memory, Turn | Event) else None
    when = format_timestamp(time, person.zone) if time else memory.date
    said = memory.query if isinstance(memory, Turn) else description
    score = round(recalled.likelihood, 4)
    where, shows = f", 地点：{place}" if place else "", f"这表明了{insight}" if insight else ""
    return {
        "id": number,
        "score": score,
        "index": memory.id,
        "description": description,
        "deepinsight": insight,
        "updatetime": when,
        "keyword": list(event.key_words if event else keywords(bank, person, said, 5)),
        "log": f"[记忆事件]--score={score:.4f},index={memory.id}."
        f"在{when}左右{where}。详细记忆事件为{description}{shows}",
    }


def _entity(number: int, recalled: Recalled, words: Collection[str]) -> dict[str, Any]:
    """Serialize one of ``memory_entities``; ``words`` are those that were searched for."""
    fact = recalled.memory
    assert isinstance(fact, Fact)
    told = word_set(fact.key_word, fact.text, fact.entity)
    matched = [word for word in words if word and word_set(word) <= told]
    owner = "用户" if fact.entity_type == "object" else "其他"
    kind = owner + ("属性" if fact.aspect == "attribute" else "关系")
    score = round(recalled.likelihood, 4)
    return {
        "id": number,
        "kind": kind,
        "score": score,
        "index": {"index": fact.id},
        "description": fact.text,
        "updatetime": fact.last or fact.date,
        "matched_keywords": matched,
        "keyword": fact.key_word,
        "log": f"{kind}--score={score:.4f},index={fact.id}, {fact.text}"
        f"---命中{matched}，数据库关键词: {fact.key_word}",
    }

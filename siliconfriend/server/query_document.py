"""The answer of the query service, field by field as the dynamic memory of a virtual human has it.

Programs were written against these names, the Chinese ones among them: a field that was
called otherwise would break each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.clock import noon_of
from siliconfriend.control.listing import words_of
from siliconfriend.language.characters import fold
from siliconfriend.language.keywords import top_keywords
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.expansion import Expansion
from siliconfriend.recall.results import Recalled, RecallResult

KEYWORDS = 5
"""Keywords of a memory that names none itself."""


def event_document(number: int, memory: Memory, score: float, zone: ZoneInfo) -> dict[str, Any]:
    """Serialize one of ``memory_events``."""
    event = memory if isinstance(memory, Event) else None
    place, insight = (event.place, event.insight) if event else ("", "")
    keywords = list(event.key_words) if event else top_keywords([words_of(memory)], KEYWORDS)
    description, when = words_of(memory), _moment(memory, zone).strftime("%Y-%m-%d %H:%M:%S")
    where = f", 地点：{place}" if place else ""
    shows = f"这表明了{insight}" if insight else ""
    return {
        "id": number,
        "score": score,
        "index": memory.id,
        "description": description,
        "deepinsight": insight,
        "updatetime": when,
        "keyword": keywords,
        "log": (
            f"[记忆事件]--score={score:.4f},index={memory.id}."
            f"在{when}左右{where}。详细记忆事件为{description}{shows}"
        ),
    }


def entity_document(
    number: int, recalled: Recalled, words: Collection[str], zone: ZoneInfo
) -> dict[str, Any]:
    """Serialize one of ``memory_entities``; ``words`` are those that were searched for."""
    fact = recalled.memory
    assert isinstance(fact, Fact)
    score, index = round(min(max(recalled.score, 0.0), 1.0), 4), {"index": fact.id}
    matched, kind = _matched(fact, words), _kind(fact)
    when = _moment(fact, zone).strftime("%Y-%m-%dT%H:%M:%S")
    return {
        "id": number,
        "kind": kind,
        "score": score,
        "index": index,
        "description": fact.text,
        "updatetime": when,
        "matched_keywords": matched,
        "keyword": fact.key_word,
        "log": (
            f"{kind}--score={score:.4f},index={index}, {fact.text}"
            f"---命中{matched}，数据库关键词: {fact.key_word}"
        ),
    }


def additional_info(
    recalled: RecallResult, expansion: Expansion, expansion_ms: float
) -> dict[str, Any]:
    """How long each step took, and what became of the words of the query."""
    took = recalled.timings_ms

    def together(*names: str) -> float:
        return sum(took.get(name, 0.0) for name in names)

    return {
        "检索耗时": {
            "向量+embedding检索": f"{together('cue', 'embed', 'search'):.2f} 毫秒",
            "mysql检索": f"{together('load', 'index', 'facts'):.2f} 毫秒",
            "扩词算法": f"{together('expansion') + expansion_ms:.2f}毫秒",
            "重排算法": f"{together('rank'):.2f}毫秒",
        },
        "query": recalled.query,
        "分词": list(expansion.original_key_words),
        "给联想的基词": list(expansion.input_words),
        "扩展后联想词": [{word: level} for word, level in expansion.expanded_words],
    }


def expansion_document(expansion: Expansion) -> Mapping[str, Sequence[Any]]:
    """The answer of ``/expand_words``."""
    return {
        "原始关键词列表": list(expansion.original_key_words),
        "输入的单词列表": list(expansion.input_words),
        "扩展的联想词列表": [{word: level} for word, level in expansion.expanded_words],
    }


def _kind(fact: Fact) -> str:
    owner = "用户" if fact.entity_type == "object" else "其他"
    return owner + ("属性" if fact.aspect == "attribute" else "关系")


def _matched(fact: Fact, words: Collection[str]) -> list[str]:
    """The words that the fact holds, in its key word, its description or its name."""
    text = fold(f"{fact.key_word} {fact.text} {fact.entity}")
    tokens = set(tokenize(text))
    return [
        word for word in words if word and (set(tokenize(word)) <= tokens or fold(word) in text)
    ]


def _moment(memory: Memory, zone: ZoneInfo) -> datetime:
    """When a memory is of, on the person's clock; noon where only the day is known."""
    time = memory.time if isinstance(memory, Turn | Event) else None
    if isinstance(memory, Fact):
        day = memory.last or memory.date
        return noon_of(date.fromisoformat(day), zone).astimezone(zone)
    return (time or noon_of(date.fromisoformat(memory.date), zone)).astimezone(zone)

"""What knowing costs: a recall with 3,000 facts and 400 events beside a bare one of that size.

The bare recall searches as many memories, all of them events, by words and by meaning and ranks
what it finds, with no facts and no expansion. Both are asked in turn with the same questions,
so that a busy moment meets both alike; it prints the median of each, of each step, and their
ratio, which is to stay below 1.5. A third column is the same memory asked for its events alone,
which looks at 400 memories and not at 3,400. Embedding the question takes the same in both and is left out, which makes
the ratio the harder one. Vectors are drawn by the hash of a text:
``python benchmarks/knowledge.py [FACTS EVENTS]``.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from recall import NORA, NOW, HashEmbedder, seconds, sentence

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.creation import new_profile
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Aspect, EntityType, Event, Fact
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.cue import Utterance
from siliconfriend.recall.index_files import IndexFiles
from siliconfriend.recall.recaller import Recaller

BARE = Scope.of("Bare")
BEGAN = datetime(2024, 1, 1, 8, tzinfo=UTC)
A_DAY = 10
WORDS_A_FACT = 12
WORDS_AN_EVENT = 30
QUESTIONS = 100
MOST = 1.5
KINDS: tuple[tuple[EntityType, Aspect], ...] = (
    ("object", "attribute"),
    ("object", "relation"),
    ("specific", "attribute"),
    ("specific", "relation"),
    ("general", "attribute"),
    ("subject", "promise"),
)


def a_fact(number: int, draw: np.random.Generator) -> Fact:
    told = BEGAN + timedelta(days=number // A_DAY)
    day, position = told.date().isoformat(), number % A_DAY
    words = sentence(draw, WORDS_A_FACT)
    entity_type, aspect = KINDS[int(draw.integers(len(KINDS)))]
    return Fact(
        memory_id(NORA, "fact", day, position),
        day,
        position,
        text=words,
        trace=Trace(told),
        provenance=Provenance("drawn", told),
        entity="Nora" if entity_type == "object" else sentence(draw, 1),
        entity_type=entity_type,
        aspect=aspect,
        key_word=words.split()[0],
        first=day,
        last=day,
    )


def an_event(number: int, draw: np.random.Generator) -> Event:
    told = BEGAN + timedelta(days=number)
    day = told.date().isoformat()
    return Event(
        memory_id(NORA, "event", day, 0),
        day,
        0,
        text=sentence(draw, WORDS_AN_EVENT),
        trace=Trace(told),
        provenance=Provenance("drawn", told),
        time=told,
        key_words=tuple(sentence(draw, 4).split()),
    )


def as_event(record: Fact | Event) -> Event:
    """The same words as an event of somebody of whom nothing else is known."""
    # A day holds ten facts at most, so that the event of that day stands after them.
    position = record.position if isinstance(record, Fact) else A_DAY
    return Event(
        memory_id(BARE, "event", record.date, position),
        record.date,
        position,
        text=record.text,
        trace=record.trace,
        provenance=record.provenance,
    )


def without_embedding(steps: Mapping[str, float]) -> float:
    return sum(taken for name, taken in steps.items() if name != "embed")


def main(facts: int = 3_000, events: int = 400) -> None:
    draw = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore(Path(folder))
        store.create(NORA, new_profile(NORA, language="en", timezone="UTC", now=BEGAN))
        records = [*(a_fact(at, draw) for at in range(facts))]
        with store.edit(NORA) as edit:
            edit.add(*(PutDerived(it) for it in records))
        lived = [an_event(at, draw) for at in range(events)]
        with store.edit(NORA) as edit:
            edit.add(*(PutDerived(it) for it in lived))
        store.fold(NORA)
        store.create(BARE, new_profile(BARE, language="en", timezone="UTC", now=BEGAN))
        same = [as_event(it) for it in (*records, *lived)]
        with store.edit(BARE) as edit:
            edit.add(*(PutDerived(it) for it in same))
        store.fold(BARE)
        recaller = Recaller(
            store,
            HashEmbedder(),
            policy=ForgettingPolicy.named("companion"),
            indexes=IndexFiles(store.folder),
        )
        recaller.rebuild_index(NORA)
        recaller.rebuild_index(BARE)
        night = seconds(recaller.learn_associations, NORA)
        passing = Recaller(store, None, policy=recaller.policy)
        passing.rebuild_index(NORA)
        once = seconds(passing.associations, NORA)
        asked = [f"What is {sentence(draw, 8)}?" for _ in range(QUESTIONS)]
        said = [sentence(draw, 30) for _ in range(QUESTIONS)]
        recaller.recall(NORA, asked[0], now=NOW)
        recaller.recall(BARE, asked[0], now=NOW)
        whole, bare, lived_only, found = [], [], [], 0
        for question, reply in zip(asked, said, strict=True):
            bare.append(recaller.recall(BARE, question, now=NOW, top_facts=0).timings_ms)
            alone = recaller.recall(NORA, question, now=NOW, top_facts=0)
            lived_only.append(alone.timings_ms)
            recalled = recaller.recall(
                NORA, question, now=NOW, talk=[Utterance(reply, is_reply=True)]
            )
            whole.append(recalled.timings_ms)
            found += len(recalled.facts)
        for name in whole[0]:
            columns = (
                statistics.median(it[name] for it in runs) for runs in (whole, bare, lived_only)
            )
            print(
                "{:>10}   {:7.3f} ms   bare {:7.3f} ms   events {:7.3f} ms".format(name, *columns)
            )
        taken, usual, alone_taken = (
            statistics.median(map(without_embedding, it)) for it in (whole, bare, lived_only)
        )
        print(
            f"{facts:,} facts, {events:,} events: recall {taken:.2f} ms, bare {usual:.2f} ms, ratio"
            f" {taken / usual:.2f}; to the events alone {taken / alone_taken:.2f}; {found / QUESTIONS:.1f} facts a question"
        )
        print(f"the table of words: {night:.2f} s at night, {once * 1e3:.0f} ms in passing, once")
        if taken > MOST * usual:
            sys.exit(f"a recall takes more than {MOST} times a bare one")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

"""Whether one person ever needs an approximate index: exact comparison against all of their vectors.

For each size it prints the milliseconds (median of seven) of comparing one question with every
vector of a person, in the process (after they were read into it) and in PostgreSQL, of reading the
vectors into the process, and of embedding one short question with the bundled embedder, which every
reply waits for too: what exact comparison costs of that is the ratio to look at. With ``--hnsw`` it
also builds pgvector's approximate index over the person's vectors alone, and prints how long that
takes, what a search in it takes, and how many of the 200 nearest it finds. A real server is started
(that of the tests); the vectors are drawn, every one near one of some hundred, as matters of a life
are: ``python benchmarks/exact_search.py [ROWS …] [--hnsw]``.
"""

from __future__ import annotations

import hashlib
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np

from siliconfriend.memory.creation import new_profile
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.index_cache import Entry
from siliconfriend.recall.postgres.index_rows import IndexRows
from siliconfriend.recall.postgres.postgres_index import PostgresIndexes
from siliconfriend.recall.postgres.vector_format import load_vectors
from siliconfriend.recall.vector_index import VectorIndex
from tests.postgres_server import OWNER, PostgresServer

DIMENSION = 384
MATTERS = 100
NEAREST = 200
ROUNDS = 7
BLOCK = 5_000
QUESTION = "Where did we go on our first evening in Lisbon?"


def drawn(count: int) -> tuple[Vectors, Vectors]:
    """Vectors of a person and of some questions, each of length 1."""
    draw = np.random.default_rng(7)
    matters = draw.normal(size=(MATTERS, DIMENSION))
    spread = matters[draw.integers(MATTERS, size=count + ROUNDS)]
    vectors = (spread + draw.normal(size=spread.shape)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors[:count], vectors[count:]


def milliseconds(acts: list[Callable[[], object]]) -> float:
    """The median of what each of some acts takes."""
    taken = []
    for act in acts:
        began = time.perf_counter()
        act()
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def fill(database: Database, scope: Scope, vectors: Vectors) -> list[str]:
    """Put vectors into a person's index; the digests of their texts."""
    profile = new_profile(scope, language="en", timezone="UTC", now=datetime.now(UTC))
    PostgresStore(database).create(scope, profile)
    digests = [hashlib.sha256(str(row).encode()).hexdigest() for row in range(len(vectors))]
    cache = PostgresIndexes(database).cache(scope, "drawn 1")
    for first in range(0, len(vectors), BLOCK):
        block = range(first, min(first + BLOCK, len(vectors)))
        cache.add({digests[row]: Entry((), vectors[row]) for row in block})
    return digests


def measure(server: PostgresServer, count: int, embedding: float, *, approximate: bool) -> None:
    """Print a row of the table."""
    vectors, questions = drawn(count)
    name, scope = server.fresh(), Scope.of("Nora")
    database = Database(server.address(name))
    digests = fill(database, scope, vectors)
    server.run("VACUUM ANALYZE siliconfriend.index_vector", name)
    index = VectorIndex(DIMENSION)
    index.add_at_once(vectors)
    held = PostgresIndexes(database).cache(scope, "drawn 1").stored_vectors(digests, DIMENSION)
    assert held is not None
    every = np.arange(count)

    def read() -> Vectors:
        with database.transaction(scope.person, read_only=True) as connection:
            found = IndexRows(connection, scope).vectors(digests)
        return load_vectors([*found.values()], DIMENSION)

    in_process = milliseconds([lambda q=q: index.inner_products([q], every) for q in questions])
    in_database = milliseconds([lambda q=q: held.inner_products([q], every) for q in questions])
    reading = milliseconds([read] * 3)
    same = all(
        set(index.nearest(q, NEAREST)) == set(held.nearest(q, NEAREST)) for q in questions[:3]
    )
    print(
        f"{count:>7,} vectors: in the process {in_process:.1f} ms"
        f" ({in_process / embedding:.2f} of embedding the question), in the database"
        f" {in_database:.1f} ms ({in_database / embedding:.2f}), reading them into the process"
        f" {reading:.0f} ms; the {NEAREST} nearest are the same: {same}",
        flush=True,
    )
    if approximate:
        search_approximately(server, name, index, questions)
    database.close()
    server.drop(name)


def search_approximately(
    server: PostgresServer, name: str, index: VectorIndex, questions: Vectors
) -> None:
    """Print what an HNSW index over the same vectors takes and finds."""
    import psycopg

    with psycopg.connect(server.address(name, OWNER)) as connection:
        connection.execute("SELECT set_config('siliconfriend.person', 'Nora', false)")
        connection.execute("SET maintenance_work_mem = '1GB'")
        connection.execute(
            f"ALTER TABLE siliconfriend.index_vector ALTER vector TYPE vector({DIMENSION})"
        )
        building = milliseconds(
            [
                lambda: connection.execute(
                    "CREATE INDEX ON siliconfriend.index_vector USING hnsw (vector vector_ip_ops)"
                )
            ]
        )
        connection.execute(f"SET hnsw.ef_search = {NEAREST}")
        connection.execute("SET enable_seqscan = off")
        query = (
            "SELECT vector <#> %s::vector FROM siliconfriend.index_vector"
            f" ORDER BY vector <#> %s::vector LIMIT {NEAREST}"
        )
        found: list[float] = []

        def search(question: Vectors) -> None:
            asked = str(question.tolist())
            nearest = [-it for (it,) in connection.execute(query.encode(), (asked, asked))]
            (products,) = index.inner_products([question], index.nearest(question, NEAREST))
            least = products[-1]
            found.append(sum(it >= least - 1e-6 for it in nearest) / NEAREST)

        searching = milliseconds([lambda q=q: search(q) for q in questions])
        print(
            f"        approximately (HNSW): built in {building / 1000:.1f} s, searched in"
            f" {searching:.1f} ms, finds {statistics.mean(found):.3f} of the nearest",
            flush=True,
        )


def main() -> None:
    """Measure each size."""
    sizes = [int(it) for it in sys.argv[1:] if it.isdigit()] or [1_000, 20_000, 100_000]
    embedder = BundledEmbedder()
    embedder.queries([QUESTION])
    embedding = milliseconds([lambda: embedder.queries([QUESTION])] * 15)
    print(f"embedding one question: {embedding:.1f} ms")
    server = PostgresServer(shared_buffers="512MB")
    try:
        for count in sizes:
            measure(server, count, embedding, approximate="--hnsw" in sys.argv)
    finally:
        server.close()


if __name__ == "__main__":
    main()

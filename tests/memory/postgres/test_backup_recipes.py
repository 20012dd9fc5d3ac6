"""The ways to a backup and back that ``docs/postgres.md`` names, run as they stand there."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from siliconfriend.memory.postgresql import SCHEMA, PostgresDatabase, PostgresStore
from siliconfriend.memory.scope import Scope
from tests.memory.people import NORA, a_profile
from tests.memory.stored import queries, say
from tests.postgres_server import APP, OWNER, PostgresServer, programs

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[3] / "docs" / "postgres.md"
NAME = "siliconfriend"
NOBODY = 65534
MEMORY = Path("/dev/shm")


def _block(name: str) -> str:
    """The commands of the page under this comment."""
    (found,) = re.findall(rf"^```sh\n# {name}\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    return str(found)


@pytest.fixture
def archive() -> Iterator[Path]:
    """Where the server keeps its log: started by root it is another user, and goes through no private folder."""
    with tempfile.TemporaryDirectory(
        prefix="wal-", dir=MEMORY if MEMORY.is_dir() else None
    ) as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder


@pytest.fixture
def server(archive: Path) -> Iterator[PostgresServer]:
    """A server of its own that archives, with a database of the page's name."""
    server = PostgresServer(archive_mode="on", archive_command=f"cp %p {archive}/%f")
    try:
        with (server.folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("local replication all trust\n")
        server.run("SELECT pg_reload_conf()")
        fresh = server.fresh()
        server.run(f"ALTER DATABASE {fresh} RENAME TO {NAME}")
        yield server
    finally:
        server.close()


def _run(server: PostgresServer, block: str, folder: Path, **more: str) -> None:
    environ = {**os.environ, "PATH": f"{programs()}:{os.environ['PATH']}", **more}
    environ |= {"PGHOST": str(server.folder), "PGPORT": str(server.port)}
    subprocess.run(["sh", "-euc", _block(block)], cwd=folder, env=environ, check=True)


def _store(server: PostgresServer, name: str = NAME) -> PostgresStore:
    return PostgresStore(PostgresDatabase(server.address(name)))


def test_a_dump_restores_every_record(server: PostgresServer, tmp_path: Path) -> None:
    """In another database each memory has the same hash, takes changes, and stays walled."""
    store = _store(server)
    people = (NORA, Scope.of("Otto", "Robin"))
    for scope in people:
        store.create(scope, a_profile(scope))
        say(store, "I planted beans.", scope)
        store.tidy(scope)
        say(store, "I watered them.", scope)
    _run(server, "dump", tmp_path)
    say(store, "Said after it.")
    _run(server, "restore", tmp_path)
    restored = _store(server, "restored")
    assert restored.scopes() == sorted(people)
    assert queries(restored) == ["I planted beans.", "I watered them."]
    otto = people[1]
    assert restored.stored(otto) == store.stored(otto)
    say(restored, "And on.")
    owners = server.run(
        f"SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = '{SCHEMA}'", "restored"
    )
    assert owners == [(OWNER,)]
    assert server.run(f"SELECT count(*) FROM {SCHEMA}.scope", "restored", APP) == [(0,)]


def test_a_database_is_restored_to_a_moment(
    server: PostgresServer, archive: Path, tmp_path: Path
) -> None:
    store = _store(server)
    store.create(NORA, a_profile())
    say(store, "Before the base.")
    _run(server, "base", tmp_path)
    say(store, "Before the moment.")
    ((moment,),) = server.run("SELECT clock_timestamp()::text")
    say(store, "After the moment.")
    store.delete(NORA)
    server.run("SELECT pg_switch_wal()")
    store.close()
    server.stop()
    _run(server, "moment", tmp_path, ARCHIVE=str(archive), MOMENT=moment)
    data = server.folder / "data"
    shutil.rmtree(data)
    shutil.copytree(tmp_path / "base", data)
    for path in (data, *data.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
    server.start()
    assert queries(_store(server)) == ["Before the base.", "Before the moment."]

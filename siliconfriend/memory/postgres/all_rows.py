"""Every row of a scope, whichever table it is in, for the search after an erasing.

The tables are asked of the database and not listed here: one that is added later is searched
without anybody having to think of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from psycopg import Connection, sql

from siliconfriend.memory.scope import Scope

_AT_ONCE = 200

_COLUMNS = """
SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE t.typname = 'bytea'),
    array_agg(a.attname::text ORDER BY a.attnum)
        FILTER (WHERE t.typname IN ('text', 'json', 'jsonb', 'varchar', '_text'))
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
WHERE c.relnamespace = 'siliconfriend'::regnamespace AND c.relkind IN ('r', 'p')
    AND a.attnum > 0 AND NOT a.attisdropped AND has_table_privilege(c.oid, 'SELECT')
GROUP BY c.relname ORDER BY c.relname
"""


def rows_of(connection: Connection, scope: Scope) -> Iterator[tuple[str, bytes]]:
    """Yield the columns of each row of a scope that may hold words, with the table's name.

    Args:
        connection: in a transaction of that person.
        scope: whose.
    """
    for table, binary, textual in connection.execute(_COLUMNS).fetchall():
        if {"person", "companion"} <= set(textual or ()):
            yield from _rows_in(connection, scope, table, binary or [], textual)


def _rows_in(
    connection: Connection, scope: Scope, table: str, binary: list[str], textual: list[str]
) -> Iterator[tuple[str, bytes]]:
    as_text = [sql.SQL("convert_to({}::text, 'UTF8')").format(sql.Identifier(it)) for it in textual]
    query = sql.SQL("SELECT {} FROM {} WHERE person = %s AND companion = %s").format(
        sql.SQL(", ").join([*map(sql.Identifier, binary), *as_text]),
        sql.Identifier("siliconfriend", table),
    )
    with connection.cursor(name="rows_of", binary=True) as cursor:
        cursor.itersize = _AT_ONCE
        cursor.execute(query, (scope.person, scope.companion))
        for row in cursor:
            yield f"database: {table}", b"\0".join(it for it in row if it is not None)

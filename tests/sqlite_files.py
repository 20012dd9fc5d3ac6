"""SQLite over files that tests can watch, stop and break: a file system of APSW under the store.

SQLite writes in C, so what patches Python's ``os`` sees nothing of it. Within :func:`watched_sqlite`
every database of the store is opened through a VFS that asks a listener before each write, sync,
truncation and deletion, and tells it afterwards.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import apsw
import pytest

from siliconfriend.memory import database

_NAME = "watched"


class Listener(Protocol):
    """Hears of every change of a file."""

    def before(self, call: str, path: Path) -> None:
        """May raise: then the call is not made."""
        ...

    def after(self, call: str, path: Path) -> None:
        """The call was made."""
        ...


_listeners: list[Listener] = []


def _told(call: str, path: str, act: Callable[[], Any]) -> Any:
    where = Path(path)
    for listener in _listeners:
        listener.before(call, where)
    done = act()
    for listener in _listeners:
        listener.after(call, where)
    return done


class _File(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int]) -> None:
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else str(name or "")
        is_new = bool(self._path) and not os.path.lexists(self._path)
        if is_new:
            for listener in _listeners:
                listener.before("open", Path(self._path))
        super().__init__("", name, flags)
        if is_new:
            for listener in _listeners:
                listener.after("open", Path(self._path))

    def xWrite(self, data: bytes, offset: int) -> None:
        _told("write", self._path, lambda: super(_File, self).xWrite(data, offset))

    def xTruncate(self, size: int) -> None:
        _told("truncate", self._path, lambda: super(_File, self).xTruncate(size))

    def xSync(self, flags: int) -> None:
        _told("fsync", self._path, lambda: super(_File, self).xSync(flags))


class _Files(apsw.VFS):
    def __init__(self) -> None:
        super().__init__(_NAME, "")

    def xOpen(self, name: Any, flags: list[int]) -> _File:
        return _File(name, flags)

    def xDelete(self, path: str, sync: bool) -> None:
        _told("unlink", path, lambda: super(_Files, self).xDelete(path, sync))


class _Rows:
    description: tuple[()] = ()

    def __init__(self, rows: list[Any], rowcount: int) -> None:
        self._rows = rows
        self.rowcount = rowcount

    def fetchall(self) -> list[Any]:
        return self._rows

    def fetchone(self) -> Any:
        return self._rows[0] if self._rows else None


class _Connection:
    """What the driver needs of ``sqlite3.Connection``, of APSW's."""

    def __init__(self, path: Path | None, wait: float) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if path is None else 0)
        with _translated():
            name = ":memory:" if path is None else str(path.absolute())
            self._base = apsw.Connection(name, flags=flags, vfs=None if path is None else _NAME)
            self._base.set_busy_timeout(round(wait * 1000))

    def execute(self, statement: str, values: Any = ()) -> _Rows:
        with _translated():
            rows = list(self._base.cursor().execute(statement, values))
            return _Rows(rows, self._base.changes())

    def executemany(self, statement: str, rows: Any) -> None:
        with _translated():
            for _ in self._base.cursor().executemany(statement, rows):
                pass

    def serialize(self) -> bytes:
        return self._base.serialize("main")

    def close(self) -> None:
        self._base.close(True)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        told = sqlite3.OperationalError(str(error))
        codes = {apsw.IOError: apsw.SQLITE_IOERR, apsw.FullError: apsw.SQLITE_FULL}
        code = getattr(error, "extendedresult", 0) or apsw.SQLITE_ERROR
        told.sqlite_errorcode = codes.get(type(error), code)
        raise told from error


_files: list[_Files] = []


@contextmanager
def watched_sqlite(listener: Listener) -> Iterator[None]:
    """Open every database of the store through the watched file system within the block."""
    if not _files:
        _files.append(_Files())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "CONNECT", _Connection)
        _listeners.append(listener)
        try:
            yield
        finally:
            _listeners.remove(listener)

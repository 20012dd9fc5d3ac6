"""Connections that are used again, and never more than a few at once.

A pool without threads, unlike ``psycopg_pool``, which the queue of nights brings: that one connects
in threads of its own, so that a program must close it at its end, a forked process must not use it,
and a wrong password is told to whoever asked for a connection as a timeout after half a minute.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import Connection, OperationalError
from psycopg.pq import TransactionStatus

from siliconfriend.errors import MemoryBusy


class Connections:
    """The connections of one process to one database; safe between threads.

    Args:
        address: as libpq takes it.
        most: at once.
        wait: seconds until one that does not become free raises.
    """

    def __init__(self, address: str, most: int, wait: float) -> None:
        self._address = address
        self._wait = wait
        self._free = threading.BoundedSemaphore(most)
        self._idle: list[Connection] = []
        self._process = os.getpid()
        weakref.finalize(self, _close_all, self._idle, self._process)

    @contextmanager
    def one(self) -> Iterator[Connection]:
        """A connection for a block, outside of any transaction; what it leaves open is rolled back.

        Raises:
            MemoryBusy: none became free.
            OperationalError: none can be made.
        """
        if not self._free.acquire(timeout=self._wait):
            raise MemoryBusy("database_busy", seconds=round(self._wait))
        try:
            connection = self._taken()
            try:
                yield connection
            finally:
                self._put_back(connection)
        finally:
            self._free.release()

    def close(self) -> None:
        """Close those that nobody uses."""
        _close_all(self._idle, self._process)

    def _taken(self) -> Connection:
        if self._process != os.getpid():
            # The parent goes on using them: here they are only forgotten.
            self._idle, self._process = [], os.getpid()
            weakref.finalize(self, _close_all, self._idle, self._process)
        try:
            return self._idle.pop()
        except IndexError:
            return Connection.connect(self._address)

    def _put_back(self, connection: Connection) -> None:
        try:
            if connection.info.transaction_status != TransactionStatus.IDLE:
                connection.rollback()
        except OperationalError:
            connection.close()
        if not connection.closed:
            self._idle.append(connection)


def _close_all(idle: list[Connection], process: int) -> None:
    while idle and process == os.getpid():
        idle.pop().close()

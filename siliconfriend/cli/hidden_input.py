"""Asks for keys unseen, so that no screen, no shell's history and no list of processes holds one."""

from __future__ import annotations

import sys
from getpass import getpass

import click

from .app import is_terminal
from .terminal import harmless


def ask_hidden(question: str) -> str:
    """Read a line without showing it; from a pipe, its next line.

    Raises:
        Abort: the input ends instead.
    """
    if not is_terminal():
        line = sys.stdin.readline()
        if not line:
            raise click.Abort
        return line.strip()
    try:
        return getpass(harmless(question)).strip()
    except EOFError as error:
        raise click.Abort from error
    finally:
        # Without a terminal of its own the line is ended on standard error, and not at once.
        sys.stderr.flush()

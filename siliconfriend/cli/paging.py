"""Lists that are longer than the terminal go through the pager of whoever reads them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable

import click

from .terminal import draw_styles, harmless, is_capable, shows_colours


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, at a terminal through the pager that ``PAGER`` names, or ``less``.

    On Windows there is none that would not first write the lines, a diary, to a file elsewhere.
    """
    if is_capable(sys.stdout) and sys.stdin.isatty() and _has_pager():
        colours = shows_colours(sys.stdout)
        # Leaves at once what fits the screen; Chinese is UTF-8 whatever the locale says.
        os.environ.setdefault("LESS", "FRX")
        os.environ.setdefault("LESSCHARSET", "utf-8")
        drawn = (draw_styles(harmless(line), colours=colours) for line in lines)
        click.echo_via_pager(f"{line}\n" for line in drawn)
        return
    for line in lines:
        click.echo(line)


def _has_pager() -> bool:
    words = os.environ.get("PAGER", "").split() or ["less"]
    return sys.platform != "win32" and shutil.which(words[0]) is not None

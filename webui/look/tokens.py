"""A colour of the page, read from its tokens, for what stands outside of its sheets."""

from __future__ import annotations

import re

from .static_files import static_files


def token_colours(name: str) -> tuple[str, str]:
    """Return a colour by day and by night, as ``#rrggbb``.

    Raises:
        KeyError: there is no such token.
    """
    sheet = static_files()["look/tokens.css"].decode()
    found = re.search(rf"--sf-{name}: light-dark\((#\w{{6}}), (#\w{{6}})\);", sheet)
    if found is None:
        raise KeyError(name)
    return found[1], found[2]

"""A mark of the rules by which something was derived: of the program's files that say them.

What is derived and kept is only as good as the program that made it. A number that somebody must
remember to raise is forgotten; the files themselves cannot be.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


@cache
def rules_of(*files: str) -> str:
    """A short mark of what stands in these files; another mark, other rules."""
    return hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()[:16]

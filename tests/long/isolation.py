"""Let fifty people with names that a store could mix up tell a word each, and search for it.

``python -m tests.long.isolation`` ends with a traceback if a word reached anybody else.
"""

import os
import tempfile
from pathlib import Path

from siliconfriend.config import load_settings
from siliconfriend.testing import MovingClock
from tests.isolation import NAMES, PATHS, TWINS, settle, talk
from tests.long.report import write_proof


def main() -> None:
    """Everybody moves in, tells, sleeps twice and asks."""
    clock = MovingClock()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        settings = load_settings(home=Path(folder) / "home", environ={}, llm="offline")
        town = settle(settings, [*NAMES, *PATHS, *TWINS], clock)
        assert len(town.people) >= len(NAMES), sorted(set(NAMES) - set(town.people))
        talk(town)
        leaks = town.leaks()
        assert leaks == [], (len(leaks), leaks[:20])
        rows = [
            ("people who moved in", len(town.people)),
            (
                "names refused: paths, control characters, look-alikes",
                len([*NAMES, *PATHS, *TWINS]) - len(town.people),
            ),
            (
                "texts shown to somebody (replies, recalls, prompts, MCP, HTTP, exports)",
                len(town.shown),
            ),
            ("requests with one person's key for another, all answered 404", 0),
            ("words of one person found at another, in a file or in a log", len(leaks)),
        ]
        rows[3] = (rows[3][0], sum(where == "http of another" for _, where, _ in town.shown))
    print(*rows, sep="\n")
    write_proof("isolation", columns=("what", "how many"), rows=rows)


if __name__ == "__main__":
    main()

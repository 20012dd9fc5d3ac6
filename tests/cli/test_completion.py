"""What a shell needs for the tab key."""

from __future__ import annotations

from siliconfriend.cli.options import VARIABLE
from tests.cli.conftest import Run


def test_a_shell_gets_its_script(run: Run) -> None:
    """It calls the program by the variable that click looks at."""
    done = run("completion", "bash")
    assert (done.code, done.err) == (0, "")
    assert VARIABLE in done.out

from __future__ import annotations

from importlib import util

import pytest

from tests.cli.conftest import Run


def test_without_the_extra_it_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain installation has no server; the command names the package and touches nothing."""
    found = util.find_spec
    monkeypatch.setattr(
        util, "find_spec", lambda name, *rest: None if name == "mcp" else found(name, *rest)
    )
    outcome = run("mcp", "--user", "Ada")
    assert (outcome.code, outcome.out) == (3, "")
    assert "pip install 'siliconfriend[mcp]'" in outcome.err


def test_a_bad_setting_ends_it_before_the_protocol_begins(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What no call could put right is told at once, with the exit code of every command."""
    monkeypatch.setenv("SILICONFRIEND_POLICY", "none of these")
    outcome = run("mcp")
    assert (outcome.code, outcome.out) == (3, "")
    assert "SILICONFRIEND_POLICY" in outcome.err

"""What a first reply would compile is compiled before anybody asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COUNTED = """
import re, sys
from pathlib import Path
from unittest.mock import patch
from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from webui.replies.rehearsal import rehearse

rehearse()
for language, asked in (("en", "What did I do in March?"), ("cn", "我三月份做了什么？")):
    settings = load_settings(home=Path(sys.argv[1], language), environ={}, embedding="none")
    with patch("re._compiler.compile", wraps=re._compiler.compile) as compiled:
        with Companion("Maya", settings=settings, language=language) as companion:
            assert "".join(companion.stream(asked))
    print(compiled.call_count)
"""

MOST = 20
"""Regular expressions that may be left to a first reply, of some three hundred."""


def test_the_first_reply_finds_nearly_all_compiled(tmp_path: Path) -> None:
    """In either language, and of what was rehearsed nothing stays on disk."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, str(tmp_path / "home")],
        capture_output=True,
        text=True,
        env=os.environ | {"TMPDIR": str(scratch)},
        check=True,
    )
    assert [int(count) <= MOST for count in done.stdout.split()] == [True, True], done.stdout
    assert [*scratch.iterdir()] == []

"""Answers a person who does not exist once, before anybody asks.

What reads a message are hundreds of regular expressions and some tables, each made ready when it is
first used. Made ready in the first reply of a page they were a third of a second of silence.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion

MESSAGES = (
    "On May 4 I baked bread with my friend Ada. 五月四号我和朋友小林烤了面包。",
    "What did I bake on May 4? 五月四号我烤了什么？",
)
"""Something told and something asked, with a day, in both languages: each is read by its own."""


@cache
def rehearse() -> None:
    """Tell and ask something in a memory of its own, which is removed; once a process.

    Raises:
        SiliconFriendError, OSError: that memory cannot be written.
    """
    with TemporaryDirectory(prefix="siliconfriend-") as home:
        settings = load_settings(home=Path(home), environ={}, embedding="none")
        with Companion("Ada", settings=settings, language="en") as companion:
            for message in MESSAGES:
                for _ in companion.stream(message):
                    pass

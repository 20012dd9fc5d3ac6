"""Reads prompt files and the headings in them.

One prompt is one file, with the same name in both languages: ``en/chat.md``, ``cn/chat.md``.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from siliconfriend.shipped import PROMPTS

VARIABLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_HEADING = re.compile(r"(?:- |\d+\. )?([^\n:：\"“<>]{1,80})[:：]")


def shipped_folder() -> Path:
    """The folder of the prompts that come with the program: in the wheel, or in the checkout."""
    return PROMPTS


def variables_of(prompt: str) -> frozenset[str]:
    """The names of the variables in a prompt's text."""
    return frozenset(VARIABLE.findall(prompt))


@cache
def headings_of(prompt: str) -> frozenset[str]:
    """The labels before the first colon of each line of a prompt, variables still in them."""
    found = (_HEADING.match(line) for line in prompt.splitlines())
    return frozenset(heading.group(1).strip() for heading in found if heading)


@cache
def shipped_headings() -> frozenset[str]:
    """The headings of all prompts that come with the program, in both languages."""
    paths = sorted(shipped_folder().glob("*/*.md"))
    return frozenset[str]().union(*(headings_of(path.read_text("utf-8")) for path in paths))

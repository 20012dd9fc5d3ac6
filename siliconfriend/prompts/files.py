"""Read the variables and headings of prompt files: ``en/chat.md`` and its twin ``cn/chat.md``."""

from __future__ import annotations

import re
from functools import cache

from siliconfriend.shipped import PROMPTS

VARIABLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_HEADING = re.compile(r"(?:- |\d+\. )?([^\n:：\"“<>]{1,80})[:：]")


def variables_of(prompt: str) -> frozenset[str]:
    """Return the names of the variables of a prompt."""
    return frozenset(VARIABLE.findall(prompt))


@cache
def headings_of(prompt: str) -> frozenset[str]:
    """Return the labels before the first colon of each line of a prompt, with their variables."""
    found = (_HEADING.match(line) for line in prompt.splitlines())
    return frozenset(heading.group(1).strip() for heading in found if heading)


@cache
def shipped_headings() -> frozenset[str]:
    """Return the headings of all of the program's own prompts."""
    paths = sorted(PROMPTS.glob("*/*.md"))
    return frozenset[str]().union(*(headings_of(path.read_text("utf-8")) for path in paths))

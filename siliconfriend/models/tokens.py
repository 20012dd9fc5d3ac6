"""How many tokens a text takes, near enough to stay within a model's context.

Every model counts differently and few say how; guessing a little too many costs a
memory less in the prompt, guessing too few costs the whole reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from siliconfriend.models.base import Message
from siliconfriend.prompts.files import VARIABLE

LATIN_CHARACTERS = 3.5
"""Characters of a token in scripts with an alphabet; common models have about 4."""
MESSAGE_TOKENS = 6
"""What a message takes besides its words: the marks of its role."""


def estimate_tokens(text: str) -> int:
    """A careful estimate: one for each Chinese character, one for 3.5 others."""
    wide = sum(mark >= "\u2e80" for mark in text)
    return wide + round((len(text) - wide) / LATIN_CHARACTERS + 0.5)


def estimate_message_tokens(messages: Iterable[Message]) -> int:
    """The estimate for whole messages."""
    return sum(estimate_tokens(message.content) + MESSAGE_TOKENS for message in messages)


def estimate_prompt_tokens(source: str, variables: Mapping[str, str]) -> int:
    """The estimate for a prompt that is rendered with these variables, at least what it takes.

    The text of the prompt is counted, and the value of each variable wherever it stands;
    nothing is rendered. A value that is given in another length later can be added.
    """
    literal, *rest = VARIABLE.split(source)
    values = (variables.get(name, "") for name in rest[::2])
    return estimate_tokens(literal + "".join(rest[1::2])) + sum(map(estimate_tokens, values))


def truncate(text: str, tokens: int) -> str:
    """The text on one line, cut with an ellipsis after about ``tokens``."""
    line = " ".join(text.split())
    length = estimate_tokens(line)
    return line if length <= tokens else line[: len(line) * tokens // length] + "…"

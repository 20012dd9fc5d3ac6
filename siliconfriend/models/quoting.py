"""A person's words as they are put between the marks of a prompt.

What stands between marks is a record and no order. Words that could end the mark early,
or a memory of ten pages that pushes the instruction out of a model's context, would undo
that, so whatever a prompt quotes passes through here.
"""

from __future__ import annotations

import re

from siliconfriend.models.tokens import estimate_tokens

_MARK = re.compile(
    r"<(?=\s*/?\s*(?:memory|memories|statements|insights|talk|known)\b)", re.IGNORECASE
)


def quoted(text: str, tokens: int) -> str:
    """The text on one line, its marks made harmless, cut with an ellipsis after ``tokens``."""
    line = _MARK.sub("‹", " ".join(text.split()))
    length = estimate_tokens(line)
    return line if length <= tokens else line[: len(line) * tokens // length] + "…"

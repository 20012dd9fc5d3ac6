"""Emphasis beside Chinese characters, where CommonMark finds none.

Its rules need a space where a word ends, and Chinese has none: of **“词”**是 only the asterisks
would be seen. Here a Chinese character or sign beside asterisks counts as the edge of a word, as
in https://github.com/tats-u/markdown-cjk-friendly.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline.state_inline import Scanned, StateInline

from siliconfriend.language.characters import HAN

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from markdown_it.utils import EnvType

_CHINESE = re.compile(rf"[{HAN}\u3000-\u303f\uff00-\uff60“”‘’…—]")
"""Chinese characters, and the signs that stand between them."""


class ChineseEmphasis(ParserInline):
    """The parser of what stands in a line, for Chinese too."""

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """Parse a line into tokens, which are added to ``tokens``."""
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class _State(StateInline):
    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:
        """Say whether asterisks can begin or end emphasis."""
        found = super().scanDelims(start, canSplitWord)
        end = start + found.length
        before = self.src[start - 1] if start > 0 else " "
        after = self.src[end] if end < self.posMax else " "
        if not (_CHINESE.match(before) or _CHINESE.match(after)):
            return found
        can_open = found.can_open or (canSplitWord and not after.isspace())
        can_close = found.can_close or (canSplitWord and not before.isspace())
        return Scanned(can_open, can_close, found.length)

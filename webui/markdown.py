"""A companion's reply as HTML: Markdown and code, and nothing that could run or load.

A model may write anything, also what a stranger's page told it to write. So the words pass two
nets, each of which would hold alone: the parser knows no HTML, no image and no address but
http, https and mailto, and what comes out of it is sanitised once more against a list of what
is allowed. A person's own words never pass here; they are shown as they are.

A reply is given as blocks, so that a page which draws it while it is written only draws what
changed.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_core.state_core import StateCore
from markdown_it.rules_inline import StateInline, emphasis
from markdown_it.token import Token

from siliconfriend.language.characters import HAN

from .unfinished_markdown import presentable

SCHEMES = frozenset(("http", "https", "mailto"))
TAGS = "a br strong em s code p hr pre blockquote ul ol li h4 h5 h6 table thead tbody tr th td"
ATTRIBUTES: dict[str, set[str]] = {"*": set(), "a": {"href"}, "ol": {"start"}}

MOST_DEEP = 12
"""Most nesting of lists, quotes and emphasis; deeper marks stay text."""

HEADINGS = {"h1": "h4", "h2": "h5"}
"""Headings of a reply stand below those of the page; all others become the last level."""

_ADDRESS = re.compile(r"(https?://[!-~]+(?<![.,;:!?)\]'\"*_~]))")
"""An address by itself, without what ends a sentence; ASCII, for no space parts it from Chinese."""
_CHINESE = re.compile(rf"[{HAN}\u3000-\u303f\uff00-\uff60“”‘’…—]")
"""Chinese characters, and the signs that stand between them."""


class GrowingReply:
    """A reply while it is written: what is done of it is read once, however long it grows.

    Only the last two blocks may still change, by which a list goes on or a paragraph ends.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._blocks: tuple[str, ...] = ()
        self._done: tuple[str, ...] = ()
        self._length = 0
        self._rest = ""

    def read(self, words: str) -> tuple[str, ...]:
        """Return the blocks of all that was written so far; safe between threads.

        Args:
            words: all of them. Where another reader is further already, its blocks are returned.
        """
        with self._lock:
            if len(words) > self._length:
                self._blocks = self._add(words[self._length :])
                self._length = len(words)
            return self._blocks

    def _add(self, piece: str) -> tuple[str, ...]:
        self._rest = (self._rest + piece).replace("\r\n", "\n").replace("\r", "\n")
        shown = presentable(self._rest)
        blocks = list(_split(_parser().parse(shown)))
        for block in blocks[:-2]:
            self._done += (_clean(block),)
        if len(blocks) > 2 and (lines := blocks[-2][0].map) is not None:
            self._rest = "\n".join(self._rest.split("\n")[lines[0] :])
        return self._done + tuple(_clean(block) for block in blocks[-2:])


@lru_cache(maxsize=4096)
def reply_blocks(words: str) -> tuple[str, ...]:
    """Return the HTML of each paragraph, list, block of code ... of a whole reply."""
    return tuple(_clean(block) for block in _split(_parser().parse(words)))


def _clean(block: Sequence[Token]) -> str:
    parser = _parser()
    return nh3.clean(
        parser.renderer.render(block, parser.options, {}),
        tags=set(TAGS.split()),
        attributes=ATTRIBUTES,
        set_tag_attribute_values={"a": {"target": "_blank"}},
        url_schemes=set(SCHEMES),
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
    )


class _ReplyParser(MarkdownIt):
    """Reads what a model writes in a talk: lines break where they break, nothing is hidden."""

    def __init__(self) -> None:
        super().__init__("default", {"html": False, "breaks": True, "maxNesting": MOST_DEEP})
        # A line of dashes ends a paragraph and makes no heading of it, indented words are a
        # poem more often than code, and definitions would vanish from the reply.
        self.disable(["code", "lheading", "reference"])
        self.inline.ruler.at("emphasis", _emphasise)
        self.core.ruler.push("mend", _mend)
        self.add_render_rule("image", _picture)

    def validateLink(self, url: str) -> bool:
        return url.partition(":")[0].strip().lower() in SCHEMES


@cache
def _parser() -> MarkdownIt:
    return _ReplyParser()


def _emphasise(state: StateInline, silent: bool) -> bool:
    """Let emphasis begin and end beside Chinese, where no spaces stand around a word."""
    start, known = state.pos, len(state.delimiters)
    is_sign = emphasis.tokenize(state, silent)
    before = state.src[start - 1] if start else " "
    after = state.src[state.pos] if state.pos < state.posMax else " "
    if is_sign and state.src[start] == "*" and _CHINESE.search(before + after):
        for sign in state.delimiters[known:]:
            sign.open |= not after.isspace()
            sign.close |= not before.isspace()
    return is_sign


def _picture(_renderer: object, tokens: Sequence[Token], place: int, *_: object) -> str:
    address = str(tokens[place].attrs["src"])
    return f'<a href="{escapeHtml(address)}">{escapeHtml(tokens[place].content or address)}</a>'


def _split(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Part the tokens into blocks that stand side by side."""
    begin = depth = 0
    for place, token in enumerate(tokens, 1):
        depth += token.nesting
        if depth == 0:
            yield tokens[begin:place]
            begin = place


def _mend(state: StateCore) -> None:
    """Make links of bare addresses, and lower headings below the page's own."""
    for token in state.tokens:
        if token.type == "inline":
            token.children = list(_linked(token.children or []))
        elif token.type in ("heading_open", "heading_close"):
            token.tag = HEADINGS.get(token.tag, "h6")


def _linked(tokens: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for token in tokens:
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type != "text" or depth:
            yield token
            continue
        for place, words in enumerate(_ADDRESS.split(token.content)):
            if place % 2:
                yield Token("link_open", "a", 1, attrs={"href": words})
            yield Token("text", "", 0, content=words)
            if place % 2:
                yield Token("link_close", "a", -1)

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
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_core.state_core import StateCore
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from siliconfriend.language.characters import HAN

from .unfinished_markdown import presentable

SCHEMES = frozenset(("http", "https", "mailto"))
IN_LINES = frozenset(("a", "br", "strong", "em", "s", "code"))
BLOCKS = frozenset(("p", "hr", "pre", "blockquote", "ul", "ol", "li", "h4", "h5", "h6"))
TABLES = frozenset(("table", "thead", "tbody", "tr", "th", "td"))
ATTRIBUTES: dict[str, set[str]] = {
    "*": set(),
    "a": {"href"},
    "ol": {"start"},
    "pre": {"data-language"},
}
ALIGNMENTS = {it: f"md-{it}" for it in ("left", "center", "right")}
CLASSES = {tag: {"class": set(ALIGNMENTS.values())} for tag in ("th", "td")}
REL = "noopener noreferrer nofollow"

MOST_DEEP = 12
"""How deep lists, quotes and emphasis may lie in each other; what is deeper stays text."""

HEADINGS = {"h1": "h4", "h2": "h5"}
"""Headings of a reply stand below those of the page; all others become the last level."""

_ADDRESS = re.compile(r"https?://[!-~]+(?<![.,;:!?)\]'\"*_~])")
"""An address by itself, without what ends a sentence; ASCII, for no space parts it from Chinese."""
_LANGUAGE = re.compile(r"[\w+#.-]{1,20}")


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
        tags=set(IN_LINES | BLOCKS | TABLES),
        attributes=ATTRIBUTES,
        tag_attribute_values=CLASSES,
        set_tag_attribute_values={"a": {"target": "_blank"}},
        url_schemes=set(SCHEMES),
        url_relative="deny",
        link_rel=REL,
    )


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


class _ReplyParser(MarkdownIt):
    """Reads what a model writes in a talk: lines break where they break, nothing is hidden."""

    def __init__(self) -> None:
        options = {"html": False, "breaks": True, "maxNesting": MOST_DEEP}
        super().__init__("default", {**options, "highlight": _code})
        self.inline = ChineseEmphasis()
        # A line of dashes ends a paragraph and makes no heading of it, indented words are a
        # poem more often than code, and definitions would vanish from the reply.
        self.disable(["code", "lheading", "reference"])
        self.core.ruler.push("mend", _mend)

    def validateLink(self, url: str) -> bool:
        return url.partition(":")[0].strip().lower() in SCHEMES


@cache
def _parser() -> MarkdownIt:
    return _ReplyParser()


def _code(code: str, language: str, _attributes: str) -> str:
    named = f' data-language="{language}"' if _LANGUAGE.fullmatch(language) else ""
    return f"<pre{named}><code>{escapeHtml(code)}</code></pre>"


def _split(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Part the tokens into blocks that stand side by side."""
    begin = depth = 0
    for place, token in enumerate(tokens, 1):
        depth += token.nesting
        if depth == 0:
            yield tokens[begin:place]
            begin = place


def _mend(state: StateCore) -> None:
    """Make links of pictures and bare addresses, and lower headings below the page's own."""
    for token in state.tokens:
        if token.type == "inline":
            token.children = list(_with_addresses(token.children or []))
        elif token.type in ("heading_open", "heading_close"):
            token.tag = HEADINGS.get(token.tag, "h6")
        elif token.type in ("th_open", "td_open") and "style" in token.attrs:
            side = str(token.attrs.pop("style")).partition(":")[2]
            token.attrs["class"] = ALIGNMENTS[side]


def _with_addresses(tokens: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for token in tokens:
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type == "image":
            yield from _link(str(token.attrs["src"]), token.content, is_inside=depth > 0)
        elif token.type == "text" and depth == 0:
            yield from _linked(token.content)
        else:
            yield token


def _linked(words: str) -> Iterator[Token]:
    end = 0
    for found in _ADDRESS.finditer(words):
        yield _text(words[end : found.start()])
        yield from _link(found.group(), found.group(), is_inside=False)
        end = found.end()
    yield _text(words[end:])


def _link(address: str, words: str, *, is_inside: bool) -> Iterator[Token]:
    if is_inside:
        yield _text(words or address)
        return
    yield Token("link_open", "a", 1, attrs={"href": address})
    yield _text(words or address)
    yield Token("link_close", "a", -1)


def _text(words: str) -> Token:
    return Token("text", "", 0, content=words)

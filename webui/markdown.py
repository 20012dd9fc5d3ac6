"""HTML of a companion's reply: Markdown and code, without active content.

A model may write anything, including what a stranger's page told it to write. Two safeguards are
each sufficient alone: the parser accepts no HTML, no images and no addresses but http, https and
mailto, and its output is sanitized against a list of allowed elements. A person's own words are
never parsed; they are shown as they are.

In an unfinished reply incomplete markup is held back and open emphasis is closed, so that text
which was shown once does not change.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_core.state_core import StateCore
from markdown_it.rules_inline import StateInline, emphasis
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token

from siliconfriend.language.characters import HAN

SCHEMES = frozenset(("http", "https", "mailto"))
TAGS = "a br strong em s code p hr pre blockquote ul ol li h4 h5 h6 table thead tbody tr th td"
ATTRIBUTES: dict[str, set[str]] = {"*": set(), "a": {"href"}, "ol": {"start"}}

MOST_DEEP = 12
"""Most nesting of lists, quotes and emphasis; deeper marks stay text."""
LONGEST_WAIT = 300
"""Characters after which an unclosed bracket counts as text."""
HEADINGS = {"h1": "h4", "h2": "h5"}
"""Headings of a reply start below those of the page; deeper ones become h6."""

_ADDRESS = re.compile(r"(https?://[!-~]+(?<![.,;:!?)\]'\"*_~]))")
"""A bare address without the punctuation after it; ASCII, since Chinese follows without a space."""
_CHINESE = re.compile(rf"[{HAN}\u3000-\u303f\uff00-\uff60“”‘’…—]")
"""Chinese characters and punctuation."""
_FENCE = re.compile(r"^\s*(?:[-*+]\s+|\d+[.)]\s+|>\s?)*(`{3,}|~{3,})")
_ONLY_SIGNS = re.compile(r"[\s>#*+\-=_`~|:]*|[\s>]*\d+[.)]?\s*")
_ROW = re.compile(r"\s*\|")
_BLOCK = re.compile(r"\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>)")
_HALF = re.compile(r"(?:\\|&#?\w{0,10}|<[^\s<>]*|!)\Z")
"""An incomplete escape, entity, address in angle brackets or image."""
_WHOLE = re.compile(
    r"\\.|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|\[[^\[\]]*\](?:\([^()]*\)|(?=[^(]))", re.DOTALL
)
"""A complete escape, inline code, link, or brackets that are no link."""
_BEGUN = re.compile(r"`|!?\[")


@lru_cache(maxsize=4096)
def reply_html(words: str) -> str:
    """Return the HTML of a whole reply."""
    return _clean(_parser().render(words))


def growing_html(words: str) -> str:
    """Return the HTML of an unfinished reply, up to its last settled block."""
    return _clean(_parser().render(_settled(words), {"grows": True}))


class Growing:
    """The HTML of a growing reply: each block is parsed once, when the next one has begun.

    Attributes:
        key: of the exchange.
        length: of the words drawn last.
    """

    def __init__(self, key: str, *, is_plain: bool = False) -> None:
        self.key, self.length = key, 0
        self._is_plain = is_plain
        self._settled, self._blocks = 0, 0

    def draw(self, words: str) -> tuple[int, str]:
        """Return the number of blocks that stay as they were sent, and the HTML of those after."""
        self.length = len(words)
        if self._is_plain:
            return 0, plain_html(words)
        stays, begin = self._blocks, self._settled
        lines = words[begin:].split("\n")
        starts = [
            token.map[0]
            for token in _parser().parse("\n".join(lines))
            if token.map
            and token.level == 0
            and token.nesting >= 0
            and token.map[0] < len(lines) - 1
        ]
        settled = ""
        if len(starts) > 1:
            settled = "\n".join(lines[: starts[-1]]) + "\n"
            self._settled += len(settled)
            self._blocks += len(starts) - 1
        return stays, reply_html(settled) * bool(settled) + growing_html(words[self._settled :])


def plain_html(words: str) -> str:
    """Return the HTML of a reply that quotes the person: all characters literal."""
    return words and f'<p class="md-plain">{escapeHtml(words)}</p>'


def _clean(drawn: str) -> str:
    safe = nh3.clean(
        drawn,
        tags=set(TAGS.split()),
        attributes=ATTRIBUTES,
        set_tag_attribute_values={"a": {"target": "_blank"}},
        url_schemes=set(SCHEMES),
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
    )
    for wide in ("pre", "table"):  # scrolls by itself, also by the keyboard
        safe = safe.replace(f"<{wide}>", f'<div class="md-wide" tabindex="0"><{wide}>')
        safe = safe.replace(f"</{wide}>", f"</{wide}></div>")
    return safe


class _ReplyParser(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        return url.partition(":")[0].strip().lower() in SCHEMES


@cache
def _parser() -> MarkdownIt:
    parser = _ReplyParser("default", {"html": False, "breaks": True, "maxNesting": MOST_DEEP})
    # A line of dashes ends a paragraph and makes no heading of it, indented words are a poem more
    # often than code, and definitions would vanish from the reply.
    parser.disable(["code", "lheading", "reference"])
    parser.inline.ruler.at("emphasis", _emphasise)
    parser.inline.ruler2.after("balance_pairs", "close", _close_begun)
    parser.core.ruler.push("mend", _mend)
    parser.add_render_rule("image", _picture)
    return parser


def _emphasise(state: StateInline, silent: bool) -> bool:
    """Allow emphasis beside Chinese characters, which have no spaces around words."""
    start, known = state.pos, len(state.delimiters)
    is_sign = emphasis.tokenize(state, silent)
    before = state.src[start - 1] if start else " "
    after = state.src[state.pos] if state.pos < state.posMax else " "
    if is_sign and state.src[start] == "*":
        for sign in state.delimiters[known:]:
            if _CHINESE.search(before + after):
                sign.open |= not after.isspace()
                sign.close |= not before.isspace()
            if before.isascii() and before.isalnum():  # 5*3 is a product until it is not
                state.env.setdefault("products", []).append(sign)
    return is_sign


def _close_begun(state: StateInline) -> None:
    """Close the open emphasis of an unfinished reply."""
    if "grows" not in state.env:
        return
    for sign in reversed(state.delimiters.copy()):
        is_product = any(sign is product for product in state.env.get("products", ()))
        if sign.open and sign.end < 0 and not is_product:
            sign.end = len(state.delimiters)
            token = state.push("text", "", 0)
            token.content = state.tokens[sign.token].content
            place = len(state.tokens) - 1
            state.delimiters.append(Delimiter(sign.marker, 0, place, -1, open=False, close=True))


def _picture(_renderer: object, tokens: Sequence[Token], place: int, *_: object) -> str:
    address = str(tokens[place].attrs["src"])
    return f'<a href="{escapeHtml(address)}">{escapeHtml(tokens[place].content or address)}</a>'


def _mend(state: StateCore) -> None:
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


def _settled(words: str) -> str:
    """Return the part of an unfinished reply that will not change."""
    lines = words.split("\n")
    if _ONLY_SIGNS.fullmatch(lines[-1]):
        lines.pop()
    if _is_in_code(lines):
        return "\n".join(lines)
    start = next((at + 1 for at in reversed(range(len(lines))) if not lines[at].strip()), 0)
    start = max([start, *(at for at in range(start, len(lines)) if _BLOCK.match(lines[at]))])
    rows = 0  # that may become a table, which the line below the first decides
    while rows < len(lines) - start and _ROW.match(lines[-1 - rows]):
        rows += 1
    end = len(lines) - (rows if rows < 3 else 0)
    last = _HALF.sub("", "\n".join(lines[start:end]).rstrip())
    signs, before = last, ""  # the words, closed marks replaced by NULs
    while signs != before:
        signs, before = _WHOLE.sub(lambda found: "\0" * len(found[0]), signs), signs
    begun = _BEGUN.search(signs)
    if begun and len(signs) - begun.start() < LONGEST_WAIT:
        signs = signs[: begun.start()]
    return "\n".join([*lines[:start], last[: len(signs.rstrip("*_~ \n"))]])


def _is_in_code(lines: list[str]) -> bool:
    fence = ""
    for line in lines:
        if found := _FENCE.match(line):
            is_end = line.strip().startswith(fence) and not line.strip(" `~")
            fence = ("" if is_end else fence) if fence else found[1]
    return bool(fence)

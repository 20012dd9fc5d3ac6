"""A reply as HTML: what a model writes is shown as it is meant, and nothing in it can run."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webui.markdown import SCHEMES, Growing, growing_html, reply_html

ENGLISH = """\
Of course! **Three things** come to mind, *softly* put:

1. Take the `--slow` road, see https://example.org/a_b?x=1.
2. Bring ~~two~~ **three *warm* coats**
   - and a [map of the coast](https://example.org/map "Map")

| when | what |
| :--- | ---: |
| noon | soup |
| dusk | **tea** |

# A little program

```python
for day in range(3):
    print(f"day {day}", 2 * 3)
```

> It is 5 * 3 - or 15; snake_case stays, [so] does this.

---
Done \\*as\\* told &amp; signed.\
"""
CHINESE = """\
当然可以！**“三件事”**值得先做：

- **整理房间**：把`旧书`收好，*慢慢来*
- 看看[海边的地图](https://example.org/map)，或者https://example.org/海。

```
今天 = "晴"
```

> 别急，**一步一步**来。\
"""


PLAIN = {"p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"}
PLAIN |= {"div", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"}


class Elements(HTMLParser):
    """Reads HTML as a browser would: its elements with their attributes, and the words."""

    def __init__(self, read: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(read)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


def visible(read: str) -> str:
    """The words of a piece of HTML without its spaces."""
    return "".join(Elements(read).words.split())


def test_a_reply_is_shown_as_it_is_meant() -> None:
    """Each kind of block stands by itself, and headings stand below those of the page."""
    whole = reply_html(ENGLISH)
    assert "<h4>A little program</h4>" in whole
    assert "<strong>Three things</strong>" in whole
    assert "<td><strong>tea</strong></td>" in whole
    assert "<pre><code>for day in range(3):\n" in whole
    assert "5 * 3 - or 15; snake_case stays, [so] does this." in whole
    assert "Done *as* told &amp; signed." in whole


def test_lines_break_where_the_model_breaks_them_and_nothing_vanishes() -> None:
    """Poems keep their lines, dashes make no heading, definitions and tags stay words."""
    assert reply_html("one\ntwo") == "<p>one<br>\ntwo</p>\n"
    assert reply_html("one\n---") == "<p>one</p>\n<hr>\n"
    assert reply_html("    indented") == "<p>indented</p>\n"
    assert visible(reply_html("[1]: https://a.b")) == "[1]:https://a.b"
    assert reply_html("<b>bold</b>") == "<p>&lt;b&gt;bold&lt;/b&gt;</p>\n"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**“词”**是", "<strong>“词”</strong>是"),
        ("请**（慢）**走", "请<strong>（慢）</strong>走"),
        ("**重点：**内容", "<strong>重点：</strong>内容"),
        ("他说*好*。", "他说<em>好</em>。"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_emphasis_stands_beside_chinese(written: str, shown: str) -> None:
    """There are no spaces around a Chinese word by which its end could be known."""
    assert reply_html(written) == f"<p>{shown}</p>\n"


def test_an_address_is_a_link_that_tells_nothing_of_this_page() -> None:
    """Bare or named, ended by the sentence or by Chinese; it opens elsewhere."""
    rest = 'target="_blank" rel="noopener noreferrer nofollow"'
    link = f'<a href="https://a.b/c" {rest}>https://a.b/c</a>'
    assert reply_html("(see https://a.b/c).") == f"<p>(see {link}).</p>\n"
    assert reply_html("见https://a.b/c，好") == f"<p>见{link}，好</p>\n"
    assert (
        reply_html("<mailto:a@b.c>") == f'<p><a href="mailto:a@b.c" {rest}>mailto:a@b.c</a></p>\n'
    )


def test_a_picture_is_not_loaded_but_can_be_opened() -> None:
    """Its words stand as a link to it."""
    shown = reply_html("![a cat](https://evil.example/p.png?who=ada)")
    assert "<img" not in shown
    assert ">a cat</a>" in shown
    nested = reply_html("[![cat](https://a.b/p.png)](https://c.d)")
    assert visible(nested) == "cat"


@pytest.mark.parametrize(
    "written",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](&#x6A;avascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](//evil.example/a)",
        "![x](javascript:alert(1))",
        "![](https://evil.example/pixel.gif)",
        '[x](https://a.b "\\" onmouseover=\\"alert(1)")',
        "```html\n<script>alert(1)</script>\n```",
        "| <img src=x> |\n| --- |\n| <svg/onload=alert(1)> |",
        "<a href='https://a.b' style='position:fixed'>x</a>",
        'https://a.b/"onclick=alert(1)',
        "<iframe src=https://evil.example></iframe>",
        "\0<scr\0ipt>",
    ],
)
def test_nothing_in_a_reply_runs_or_loads(written: str) -> None:
    """Neither while it is written nor when it is whole."""
    for end in range(len(written) + 1):
        assert_harmless(growing_html(written[:end]))
    assert_harmless(reply_html(written))


SIGNS = [
    *"<>\"'`*_~[]()!|#-:/&;=\n\\ ",
    "```",
    "词",
    "x",
    "| a |\n| - |\n",
    "&#106;",
    "![x](",
    "[x](",
]
TRAPS = [
    "script",
    "javascript:",
    "https://a.b",
    "onerror=",
    "<img src=",
    "<a href=",
    "data:",
    "style=",
]
PIECES = st.sampled_from([*SIGNS, *TRAPS])


@given(st.lists(PIECES | st.text(max_size=3), max_size=40).map("".join))
def test_whatever_a_model_writes_is_harmless(written: str) -> None:
    """No script, no handler, no load, whatever goes in and however far it was written."""
    assert_harmless(reply_html(written))
    assert_harmless(growing_html(written))


def assert_harmless(read: str) -> None:
    """Only plain elements, and no attribute but those of a link, a list and what scrolls."""
    known = {"href", "target", "rel", "start", "class", "tabindex"}
    for tag, attributes in Elements(read).found:
        assert tag in PLAIN
        assert set(attributes) <= known
        if tag == "a" and attributes.get("href") is not None:
            assert str(attributes["href"]).partition(":")[0].lower() in SCHEMES
            assert attributes["rel"] == "noopener noreferrer nofollow"


@pytest.mark.parametrize("written", [ENGLISH, CHINESE], ids=["en", "cn"])
def test_while_a_reply_is_written_no_sign_is_seen_that_is_none(written: str) -> None:
    """After each character stands a beginning of what will stand there in the end."""
    whole = visible(reply_html(written))
    for end in range(len(written) + 1):
        seen = visible(growing_html(written[:end]))
        assert whole.startswith(seen), (written[:end][-30:], seen[-30:])


BLOCK = re.compile(r"(?=<(?:p|h4|hr|div)\b)")


@pytest.mark.parametrize(
    "words",
    [
        "One.\n\nTwo **strong** words\nand more.\n\n---\n\nThree.",
        "# Title\ntext\n```py\na = 1\n\nb = 2\n```\nand the end\n#tag is no title",
        "| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter it.\n\nDone.",
    ],
)
def test_a_growing_reply_is_parsed_once_a_block_and_ends_as_the_whole_one(words: str) -> None:
    """What is sent between, put together as the page does, is the reply."""
    growing, blocks = Growing("key"), list[str]()
    for end in range(1, len(words) + 1):
        stays, html = growing.draw(words[:end])
        assert stays <= len(blocks)
        blocks = [*blocks[:stays], *filter(None, BLOCK.split(html))]
    whole = [each for each in BLOCK.split(reply_html(words)) if each]
    assert [each.strip() for each in blocks] == [each.strip() for each in whole]
    assert growing.draw(words)[0] > 0

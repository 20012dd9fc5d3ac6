"""Words of a memory are words in a note, whatever marks they hold; file names fit every system."""

from __future__ import annotations

import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as some

from siliconfriend.control.notes.markdown import (
    escape_inline,
    file_names,
    front_matter,
    link,
    quote,
)

DANGEROUS = [
    "[[Somebody else]]",
    "[click](https://evil.example)",
    "<script>alert(1)</script>",
    "#tag and ^block",
    "%%hidden%%",
    "$x$ ==marked== ~~gone~~ `code`",
    "mood:: fine",
    "<%tp.system%>",
]


@pytest.mark.parametrize("words", DANGEROUS)
def test_no_mark_is_left(words: str) -> None:
    """Each mark has a backslash before it; without the backslashes the words are as they were."""
    escaped = escape_inline(words)
    assert re.search(r"(?<!\\)[\[\]<>#|`*_~$=^%&{}]", escaped) is None
    assert "::" not in escaped
    assert escaped.replace("\\", "") == words


@pytest.mark.parametrize(
    ("words", "escaped"),
    [
        ("- a list", r"\- a list"),
        ("1. first", r"1\. first"),
        ("---", r"\---"),
        ("2026 was good.", "2026 was good."),
        ("a\x1b[31m\u202eb\x00", r"a\[31mb"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_the_beginning_of_a_line_begins_nothing(words: str, escaped: str) -> None:
    """No list, no heading, no rule; nothing that steers a terminal."""
    assert escape_inline(words) == escaped


@given(some.text(max_size=80))
def test_a_quotation_never_ends_early(words: str) -> None:
    """Every line of it stands behind a mark, so none can be front matter or a heading."""
    assert all(line.startswith(">") for line in quote(words).split("\n") if quote(words))


def test_front_matter_holds_one_line_a_value() -> None:
    """What a value holds cannot end it: texts are quoted, with their line ends escaped."""
    written = front_matter(
        {"person": 'A "b"\n---\nkind: forged', "names": ["x", "y: z"], "turns": 3}
    )
    head, person, names, turns, tail, _ = written.split("\n")
    assert (head, tail) == ("---", "---")
    assert (names, turns) == ('names: ["x", "y: z"]', "turns: 3")
    assert tomllib.loads(person.replace(": ", " = ", 1))["person"] == 'A "b"\n---\nkind: forged'


def test_a_link_cannot_be_ended_by_its_title() -> None:
    """The path is ours; of the title what would end the link is left out."""
    assert link("names/x.md", "a]] [[b|c") == "[[names/x|a b c]]"


def test_file_names_are_safe_and_no_two_are_one_file() -> None:
    """Reserved names, signs, ends, letters' case, length: each title has a name of its own."""
    titles = [
        "Kit",
        "kit",
        "CON",
        "a/b",
        "a:b",
        "../x",
        "…",
        "  ",
        "Zoë",
        "x" * 300,
        "小石 #1",
        "end.",
    ]
    names = file_names(titles, ["Kit"])
    assert len({name.casefold() for name in names.values()}) == len(titles)
    for name in names.values():
        assert not re.search(r'[<>:"/\\|?*#^\[\]]', name)
        assert name.strip(" .") == name != ""
        assert name.upper() not in ("CON", "NUL")
        assert len(name.encode()) <= 250
    assert names["Zoë"] == "Zoë"
    assert names["a/b"].startswith("a-b-")
    assert file_names(reversed(titles), ["Kit"]) == names

"""Addresses and numbers are compared whole, however they are written."""

from __future__ import annotations

import pytest

from siliconfriend.language.identifiers import find_identifiers, has_identifiers


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("alice@acme.io", "Write to Alice@Acme.io."),
        ("alice@acme.io", "It is alice at acme dot io, I think"),
        ("alice@acme.io", "alice [at] acme [dot] io"),
        ("alice@acme.io", "her address: alice(at)acme.io"),
        ("alice@acme.io", "邮箱是alice艾特acme点io"),
        ("alice at acme dot io", "alice@acme.io wrote"),
        ("alice@acme.io", "аlice@аcme.io"),  # Cyrillic letters
        ("415-555-0100", "Ring (415) 555 0100."),
        ("4155550100", "four one five five five five zero one zero zero"),
        ("13800138000", "电话一三八零零一三八零零零"),
        ("room-12", "We meet in room-12."),
        ("123-45-6789", "The number is 123-45-6789."),
    ],
)
def test_the_same_written_in_another_way(query: str, text: str) -> None:
    assert has_identifiers(text, find_identifiers(query))
    assert find_identifiers(query)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("alice@acme.io", "alice.smith@acme.io"),
        ("alice@acme.io", "malice@acme.io"),
        ("alice@acme.io", "alice@acme.io.uk"),
        ("bob@example.com", "bob@example.com.uk sent a note."),
        ("bob@example.com", "bob@example.computer"),
        ("123-45-6789", "The number is 6789, 45 and 123."),
        ("555-0192", "555-01923"),
        ("room-12", "room-121"),
        ("alice@acme.io", "I met Alice at Acme. I owe her."),
    ],
)
def test_another_that_begins_or_ends_like_it(query: str, text: str) -> None:
    assert not has_identifiers(text, find_identifiers(query))


@pytest.mark.parametrize("words", ["Robin", "the lemon tree", "my ex Dave", "小磊", "at 9"])
def test_plain_words_are_none(words: str) -> None:
    assert find_identifiers(words) == ()

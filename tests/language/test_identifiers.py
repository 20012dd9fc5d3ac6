"""Addresses and numbers are compared whole, however they are written."""

import pytest

from siliconfriend.language.identifiers import (
    find_identifiers,
    has_identifiers,
    is_named_in_another_script,
)


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
        ("ines.lopez@post.net", "Reach Ines at ines dot lopez at post dot net"),
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


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Li Na", "李娜在医院上班。"),
        ("张伟", "Zhang Wei sold me the bike."),
        ("Ivan Petrov", "Иван Петров lent me a ladder."),
        ("Juergen Mueller", "Jürgen Müller owns the mill."),
        ("Jose Garcia", "José García fixes shoes."),
        ("Zoe", "Zoë sang."),
    ],
)
def test_a_name_is_known_in_another_script(name: str, text: str) -> None:
    assert is_named_in_another_script(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("张伟", "章伟来了。"),
        ("Li Na", "李楠在医院上班。"),
        ("Jose Garcia", "José fixes shoes, Garcia sells them."),
        ("Ann", "Anna sang."),
        ("na", "李娜在医院上班。"),
        ("Zoe", "Zoey sang."),
    ],
)
def test_another_name_is_not(name: str, text: str) -> None:
    assert not is_named_in_another_script(name, text)

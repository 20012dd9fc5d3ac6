"""Who a companion is, in a file that a person can edit."""

from __future__ import annotations

import pytest

from siliconfriend.characters.character import (
    Character,
    CharacterTexts,
    parse_character,
    serialize_character,
)
from siliconfriend.errors import RefusedName, UsageError
from siliconfriend.memory.codec import Unreadable

ROBIN = Character(
    "Robin",
    {
        "en": CharacterTexts(persona="Patient.\nQuiet."),
        "cn": CharacterTexts(called="知更", greeting="你好。"),
    },
    ("Pebble",),
)


def test_what_is_written_is_read_again() -> None:
    """Both languages, several lines and the shares come back as they were."""
    assert parse_character(serialize_character(ROBIN)) == ROBIN


@pytest.mark.parametrize(
    "persona",
    [
        "a\r\nb",
        "a\rb",
        "a\n\u0085b\u2028c",
        'a\n"""b\\',
        'a\nb"""',
    ],
)
def test_every_line_break_comes_back_as_it_was(persona: str) -> None:
    """A carriage return, alone or beside a line feed, is neither lost nor a broken file.

    Written raw in a text of several lines, TOML would read CR LF as LF and refuse a lone CR.
    """
    written = Character("Robin").with_texts("en", {"persona": persona})
    assert parse_character(serialize_character(written)) == written
    again = serialize_character(written, serialize_character(written))
    assert parse_character(again) == written


def test_remarks_and_unknown_keys_of_the_operator_stay() -> None:
    """Only what changed is written anew; a text that was taken away is gone."""
    before = '# mine\nname = "Robin"\nmood = "calm"\n\n[en]\npersona = "Old." # to do\n'
    changed = parse_character(before).with_texts("en", {"persona": "", "greeting": "Hi."})
    after = serialize_character(changed, before)
    assert after.startswith('# mine\nname = "Robin"\nmood = "calm"\n')
    assert "persona" not in after
    assert parse_character(after) == changed


@pytest.mark.parametrize(
    "wrong",
    [
        "name = 3",
        'name = "a/b"',
        'name = "Robin"\nshares = "Pebble"',
        'name = "Robin"\nshares = ["Robin"]',
        'name = "Robin"\nen = "Patient."',
        'name = "Robin"\n[en]\npersona = 3',
        "name = [",
    ],
)
def test_what_is_no_character_is_refused(wrong: str) -> None:
    """A file with a fault never becomes a companion with something missing."""
    with pytest.raises(Unreadable):
        parse_character(wrong)


def test_it_calls_itself_by_its_own_name_in_each_language() -> None:
    """Where no name is written for a language it is the one of commands; `default` is none."""
    assert [ROBIN.called(it) for it in ("en", "cn")] == ["Robin", "知更"]
    assert [Character("default").called(it) for it in ("en", "cn")] == ["SiliconFriend", "硅友"]


def test_shares_are_names_each_once_and_never_itself() -> None:
    """Added ones are cleaned; taking away what is not there is no fault."""
    assert ROBIN.with_shares((" Fern ", "Pebble")).shares == ("Pebble", "Fern")
    assert ROBIN.with_shares((), ("Pebble", "Fern")).shares == ()
    with pytest.raises(UsageError, match="cannot share with itself"):
        ROBIN.with_shares(("Robin",))
    with pytest.raises(RefusedName):
        ROBIN.with_shares(("../Robin",))

"""Of a pasted book the rules read the beginning and the end."""

from __future__ import annotations

from siliconfriend.control.opt_out import find_opt_out
from siliconfriend.dialogue.told_words import telling_share
from siliconfriend.language.long_texts import READ_WHOLE, beginning_and_end
from siliconfriend.language.self_harm import speaks_of_self_harm
from siliconfriend.recall.index_text import index_text_for
from tests.memory.people import a_turn

BOOK = "They walked on, and nothing was said. " * (READ_WHOLE // 10)


def test_a_message_is_read_whole() -> None:
    """Up to the last character that is read."""
    message = "x" * READ_WHOLE
    assert beginning_and_end(message) == message


def test_a_book_is_read_at_both_ends() -> None:
    """Halves of what is read, and a line's end between them, so that no word is made of two."""
    half = READ_WHOLE // 2
    text = "b" * half + "middle" + "e" * half
    assert beginning_and_end(text) == "b" * half + "\n" + "e" * half


def test_what_is_wanted_with_a_book_is_heard() -> None:
    """Where people say it: before what they pasted, or behind it."""
    for message in (f"Don't remember this.\n{BOOK}", f"{BOOK}\n别记这个。"):
        assert find_opt_out(message) is not None
    assert speaks_of_self_harm(f"{BOOK}\nI want to kill myself.")
    assert speaks_of_self_harm(f"我想自杀。\n{BOOK}")
    assert telling_share(BOOK) == 1.0


def test_a_book_is_found_by_all_of_its_words() -> None:
    """Nothing of it counts as a question or as said before, whatever is asked behind it."""
    said = f"{BOOK}\nWhat did I tell you about the beans?"
    assert index_text_for(said, "", [a_turn("I planted beans.")]) is None

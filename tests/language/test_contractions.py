"""English contractions are written out, with an apostrophe or without."""

from __future__ import annotations

import pytest

from siliconfriend.language.contractions import written_out


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("Amara's pregnant", "amara is pregnant"),
        ("I’m HERE", "i am here"),
        ("im here and she's not", "i am here and she is not"),
        ("I can't, I won't, we cannot", "i can not, i will not, we can not"),
        ("dont, doesn't and havent", "do not, does not and have not"),
        ("ive met someone, they've too", "i have met someone, they have too"),
        ("theyre late, we'll go", "they are late, we will go"),
        (
            "its been hard, its not fair, she's got it",
            "it has been hard, it is not fair, she has got it",
        ),
        ("im soooo tired", "i am so tired"),
        ("its name, a cantor", "its name, a cantor"),
        ("我很好", "我很好"),
    ],
)
def test_contractions_are_written_out(said: str, written: str) -> None:
    """Whole words only, and nothing of Chinese."""
    assert written_out(said) == written

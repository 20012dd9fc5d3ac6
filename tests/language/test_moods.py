"""Words of mood, said and not denied, in both languages."""

from siliconfriend.language.moods import moods_of
from siliconfriend.language.word_lists import word_list
from siliconfriend.texts import area


def test_denied_moods_are_not_counted() -> None:
    """Not worried is not worried; 不开心 is sad and not happy."""
    assert not moods_of(["I am not worried about it.", "I wasn’t happy.", "dont be sad"])
    assert set(moods_of(["I'm worried, but happy."])) == {"worried", "happy"}
    assert set(moods_of(["我今天很不开心。"])) == {"sad"}
    assert set(moods_of(["我今天很开心。"])) == {"happy"}
    assert set(moods_of(["我今天特别开心。"])) == {"happy"}
    assert not moods_of(["别难过。"])


def test_every_word_of_mood_is_found() -> None:
    """Of both languages, in capitals too, between other words and beside marks."""
    for key in area("moods", "en"):
        for word in word_list("moods", f"{key}.words"):
            for said in (
                word,
                f"“{word.upper()}”!",
                f"It was {word} then" if word.isascii() else f"我{word}了",
            ):
                assert key in set(moods_of([said])), said

"""No word of one person ever reaches another; ``tests/long/isolation.py`` does it with fifty."""

from siliconfriend.config import Settings
from siliconfriend.testing import MovingClock
from tests.isolation import canary, settle, talk

FEW = ("Ada", "小明", "{name}")


def test_no_word_of_one_person_reaches_another(settings: Settings, clock: MovingClock) -> None:
    """Not in a reply, a recall, a prompt, a portrait, an export, a log or a file."""
    town = settle(settings, FEW, clock)
    assert town.people == list(FEW)
    talk(town)
    assert town.leaks() == []
    own = [(person, where) for person, where, text in town.shown if canary(person) in text.lower()]
    assert {where for _, where in own} >= {"prompt", "recall", "façade", "http", "export"}
    assert {person for person, _ in own} == set(FEW)

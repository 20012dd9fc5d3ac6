"""A fact that the person put right: nothing that was said before brings the old words back."""

from __future__ import annotations

from siliconfriend.control.edit import edit_memory
from siliconfriend.memory.knowledge import Fact
from tests.extraction.talks import at
from tests.extraction.world import Reading

WRONG = "Ada lives in Oslo."
RIGHT = "Ada lives in Bergen."


def _told(day: int, home: str = "Oslo", world: Reading | None = None) -> Reading:
    """Tell at noon of a day of June where one lives, and have it read."""
    world = world or Reading()
    world.say(f"{day} 12:00", f"I live in {home}.")
    world.read()
    return world


def _put_right(world: Reading) -> Fact:
    """Correct the first fact by hand in the evening of the 3rd."""
    first = next(iter(world.memory().facts()))
    edit_memory(world.store, world.scope, first.id, at("3 20:00"), text=RIGHT)
    return first


def _superseded(world: Reading) -> dict[str, str]:
    """All facts, with what took their place."""
    return {it.text: it.superseded_by for it in world.memory().facts()}


def test_what_was_said_before_and_is_read_later_is_history() -> None:
    """Told on the 1st, put right on the 3rd; a turn of the 2nd that nobody had read comes then."""
    world = _told(1)
    fact = _put_right(world)
    _told(2, world=world)
    assert _superseded(world) == {RIGHT: "", WRONG: fact.id}


def test_the_very_turn_read_again_brings_nothing_back() -> None:
    """Whatever the reading finds in it, the person has said how it is."""
    world = _told(1)
    _put_right(world)
    world.again(*(turn.id for turn in world.memory().turns()))
    world.read()
    assert _superseded(world) == {RIGHT: ""}


def test_what_the_person_says_after_it_counts() -> None:
    """Hands put right what was; a later word may put it right once more."""
    world = _told(1)
    fact = _put_right(world)
    facts = _superseded(_told(5, "Turku", world))
    assert facts["Ada lives in Turku."] == ""
    assert facts[RIGHT] not in ("", fact.id)

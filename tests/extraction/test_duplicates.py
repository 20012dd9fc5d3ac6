"""When two facts say the same, and how repeated ones become one with the evidence of all."""

from dataclasses import replace
from typing import Any

import pytest

from siliconfriend.errors import UnusableAnswer
from siliconfriend.extraction.duplicates import (
    DuplicateFacts,
    compare,
    facts_to_compare,
    find_duplicates,
    merge_duplicates,
    unchecked_facts,
)
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import BY_PERSON, EntityType, Fact, Provenance
from siliconfriend.prompts.loader import Prompts
from siliconfriend.testing import ScriptedChatModel
from tests.extraction.world import Reading, a_fact, an_answer, at


def _knowing(*texts: str, **fields: Any) -> Reading:
    """Someone of whom these are known, each told on a day of its own."""
    world = Reading()
    for day, text in enumerate(texts, start=3):
        world.say(f"{day} 14:00", text)
        assert world.believe(an_answer(facts=[a_fact(text, **fields)]))
    return world


def _groups(world: Reading, *groups: tuple[list[int], str]) -> list[DuplicateFacts]:
    """What stands of a model's groups, by numbers from 1."""
    answer = {"groups": [{"numbers": numbers, "text": text} for numbers, text in groups]}
    chat = ScriptedChatModel([answer])
    return find_duplicates(chat, Prompts("en"), "Ada", world.facts())


def _merge(world: Reading, groups: list[DuplicateFacts], facts: list[Fact]) -> None:
    world.put(*merge_duplicates(world.memory(), groups, facts))


JAZZ = ("Ada likes jazz.", "Ada likes the jazz records of Miles Davis.", "Ada likes tea.")


def test_a_group_becomes_one_fact_with_all_evidence() -> None:
    """The first told goes on in the new words; the other is history that names it."""
    world = _knowing(*JAZZ)
    first, second, third = world.facts()
    sentence = "Ada likes jazz, above all the records of Miles Davis."
    _merge(world, _groups(world, ([1, 2], sentence)), world.facts())
    assert world.known() == [sentence, "Ada likes tea."]
    one, other, tea = world.memory().facts()
    assert one.id == first.id
    assert one.provenance.from_ids == first.provenance.from_ids + second.provenance.from_ids
    assert (one.first, one.last) == ("2026-06-03", "2026-06-04")
    assert (other.text, other.superseded_by) == (second.text, one.id)
    assert tea == replace(third, merged=True)
    assert unchecked_facts(world.memory()) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada likes jazz.",
        "Ada likes jazz and the records of Miles Davis and John Coltrane.",
        "Ada doesn't like jazz, nor the records of Miles Davis.",
        "",
    ],
)
def test_a_sentence_that_loses_or_adds_something_merges_nothing(sentence: str) -> None:
    """No name, no number and no liking may be lost or made up."""
    world = _knowing(*JAZZ)
    if sentence:
        assert _groups(world, ([1, 2], sentence)) == []
    else:
        with pytest.raises(UnusableAnswer):
            _groups(world, ([1, 2], sentence))


def test_facts_that_are_against_each_other_stay_apart() -> None:
    """Whatever sentence a model finds for both."""
    world = _knowing("Ada lives in Oslo.", "Ada has a house in Oslo.", "Ada likes tea.")
    assert _groups(world, ([1, 3], "Ada lives in Oslo and likes tea.")) != []
    contrary = _knowing("Ada likes tea.", "Ada does not like tea.")
    assert _groups(contrary, ([1, 2], "Ada likes tea and does not like tea.")) == []
    months = _knowing("Ada's birthday is 4 May.", "Ada's birthday is 4 June.")
    assert _groups(months, ([1, 2], "Ada's birthday is 4 June.")) == []


def test_words_of_the_person_are_never_rewritten() -> None:
    """A fact they put right goes on as they wrote it."""
    world = _knowing(*JAZZ)
    second = world.facts()[1]
    world.put(PutDerived(replace(second, provenance=replace(second.provenance, made_by=BY_PERSON))))
    sentence = "Ada likes jazz, above all the records of Miles Davis."
    _merge(world, _groups(world, ([1, 2], sentence)), world.facts())
    assert world.known() == [JAZZ[1], JAZZ[2]]


def test_what_changed_while_the_model_thought_is_left_alone() -> None:
    """Neither merged nor marked: it is looked at another time."""
    world = _knowing(*JAZZ)
    facts = world.facts()
    groups = _groups(world, ([1, 2], "Ada likes jazz and the jazz records of Miles Davis."))
    world.put(PutDerived(replace(facts[0], text="Ada likes bebop.")))
    _merge(world, groups, facts)
    assert world.known() == ["Ada likes bebop.", JAZZ[1], JAZZ[2]]
    assert [fact.text for fact in unchecked_facts(world.memory())] == ["Ada likes bebop.", JAZZ[1]]


def test_what_was_looked_at_is_shown_again_only_beside_something_new() -> None:
    """An older fact about the same may be what the new one repeats."""
    world = _knowing(*JAZZ)
    _merge(world, [], world.facts())
    assert facts_to_compare(world.memory()) == []
    world.say("9 14:00", "I like bebop a lot, of all jazz.")
    world.believe(an_answer(facts=[a_fact("Ada likes bebop, a sort of jazz.")]))
    assert len(facts_to_compare(world.memory())) == 4
    assert facts_to_compare(world.memory())[0].text == "Ada likes bebop, a sort of jazz."


def _fact(text: str, entity: str = "Ada", kind: EntityType = "object") -> FactDraft:
    return FactDraft(text, (), entity, kind, "attribute")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Ada likes jazz.", "Ada likes jazz!", True),
        ("Ada likes jazz.", "Ada doesn't like jazz.", False),
        ("Ada's birthday is 4 May.", "Ada's birthday is 5 May.", False),
        ("Ada has a cat called Momo.", "Ada has a cat called Kiki.", False),
        ("Ada的猫叫毛毛。", "Ada的猫叫毛毛", True),
        ("Ada喜欢游泳。", "Ada不喜欢游泳。", False),
    ],
)
def test_words_numbers_names_and_yes_or_no_must_agree(
    one: str, other: str, *, is_same: bool
) -> None:
    """Whichever was told first."""
    assert (compare(_fact(one), _fact(other)) == "same") is is_same
    assert (compare(_fact(other), _fact(one)) == "same") is is_same


def test_of_two_people_nothing_is_the_same() -> None:
    """Nor of two kinds of entity."""
    jack = _fact("Jack likes jazz.", "Jack", "specific")
    assert compare(_fact("Ada likes jazz."), jack) == "unrelated"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada likes tea more than coffee.", "Ada likes coffee more than tea."),
        ("Tom is older than Ada.", "Ada is older than Tom."),
        ("小林比小王高。", "小王比小林高。"),
        ("小林更喜欢茶，不如咖啡那么喜欢水。", "小林更喜欢咖啡，不如茶那么喜欢水。"),
    ],
)
def test_a_comparison_turned_round_is_another_fact(one: str, other: str) -> None:
    """Though all words are the same; told in the same order it is one."""
    made: Any = (Trace(at("1")), Provenance("scripted", at("1")), "Ada", "object", "attribute")
    first, second, again = (
        Fact(f"fact-{number}", "2026-06-01", number, words, *made)
        for number, words in enumerate((one, other, one))
    )
    assert compare(first, second) == "unrelated"
    assert compare(first, again) == "same"

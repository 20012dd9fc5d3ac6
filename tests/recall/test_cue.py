"""A message read before anything is searched: its days, names, tokens and vectors."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.records import Day, PersonMemory, Profile, Turn
from siliconfriend.memory.scope import Scope, memory_id
from siliconfriend.recall.cue import Cue, Utterance, build_cue, cue_vectors
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.texts import Language

NOW = datetime(2023, 5, 7, 9, tzinfo=UTC)


def _memory(name: str, language: Language) -> PersonMemory:
    scope, said = Scope.of(name), datetime(2023, 4, 27, 12, tzinfo=UTC)
    turn = Turn(
        memory_id(scope, "turn", "2023-04-27", 0), "2023-04-27", 0, "hello", "", None, Trace(said)
    )
    profile = Profile(name, language, "UTC", said)
    return PersonMemory(profile, {"2023-04-27": Day("2023-04-27", (turn,))})


MARTA, 小芳 = _memory("Marta", "en"), _memory("小芳", "cn")


def _read(message: str, memory: PersonMemory = MARTA, **options: Any) -> Cue:
    return build_cue(message, memory, now=NOW, companion_name="Echo", **options)


def test_a_date_is_read_and_its_words_are_not_searched() -> None:
    """The day answers "on April 27th"; its number would find every 27 there is."""
    cue = _read("The violin teacher on April 27th?")
    assert [(span.first, span.words) for span in cue.spans] == [(date(2023, 4, 27), "April 27th")]
    assert cue.search_tokens == ("violin", "teacher")


@pytest.mark.parametrize(
    ("message", "year"),
    [
        ("She's having her knee done on 3 December.", 2023),
        ("Tom's wedding, 3 December.", 2023),
        ("膝盖十二月三号做手术。", 2023),
        ("What did I do on 3 December?", 2022),
        ("十二月三号我做了什么？", 2022),
    ],
)
def test_a_remark_names_a_day_as_what_is_told_does(message: str, year: int) -> None:
    """Read in November, with last December remembered: only a question asks for that."""
    now, days = datetime(2023, 11, 5, 12, tzinfo=UTC), [date(2022, 12, 3), date(2023, 11, 1)]
    (span,) = build_cue(message, MARTA, now=now, days=days).spans
    assert span.first == date(year, 12, 3)


def _after(reply: str, message: str, memory: PersonMemory = MARTA) -> Cue:
    return _read(message, memory, talk=[Utterance(reply, is_reply=True)])


def test_the_speakers_names_alone_are_too_little_to_stand_alone() -> None:
    """Everyone's own name is in every turn, and one character tells nothing."""
    assert "regatta" in _after("The regatta.", "Echo, Marta, B?").search_tokens
    assert "regatta" not in _after("The regatta.", "Echo, kite or violin?").search_tokens
    assert _after("赛艇", "小芳的琴？", 小芳).text == "赛艇\n小芳的琴？"
    assert _after("赛艇", "小芳的小提琴", 小芳).text == "小芳的小提琴"


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("Why did Rosa and Marta go to New Haven?", ("Rosa", "New Haven")),
        ('I told you of "The Long Pier", what is it about?', ("The Long Pier",)),
        ("What did I see?", ()),
        ("When will Echo answer?", ()),
        ("Violin lessons. With Dr. Okafor", ("Dr", "Okafor")),
    ],
)
def test_english_names_are_capitals_that_begin_no_sentence(
    message: str, names: tuple[str, ...]
) -> None:
    """Also titles in quotation marks; never the two who speak."""
    assert _read(message).names == names


def test_chinese_names_are_those_the_memory_knows() -> None:
    """The segmenter takes many words for names; only those in the person's memory count."""
    message = "我在厦门看了《海边的琴》，李明也来了"
    assert _read(message, 小芳).names == ("海边的琴", "厦门", "李明")
    known = _read(message, 小芳, frequency=lambda word: int(word == "厦门"))
    assert known.names == ("海边的琴", "厦门")


@pytest.mark.parametrize(
    ("known", "searched"),
    [
        ("小北", ("小北带", "小北", "带")),
        ("北带", ("小北带", "北带", "小")),
        ("小北带", ("小北带",)),
        ("带", ("小北带",)),
    ],
)
def test_a_name_glued_to_its_verb_is_searched_alone(known: str, searched: tuple[str, ...]) -> None:
    cue = _read("小北带了什么？", 小芳, frequency=lambda word: int(word == known))
    assert cue.search_tokens == searched


def test_a_short_message_is_read_with_the_end_of_the_last_reply() -> None:
    """A bare "And then?" is about what was just said; a message that can stand alone stands alone."""
    reply = "You told me about the regatta."
    joined = _after(reply, "And then?")
    assert joined.text == f"{reply}\nAnd then?"
    assert "regatta" in joined.search_tokens
    assert joined.text_tokens == joined.reply_tokens + joined.tokens
    for alone in ("Where is the violin teacher from?", "And on April 27th?"):
        assert _after(reply, alone).text == alone
    assert _after("你说过赛艇的事。", "然后呢？", 小芳).text == "你说过赛艇的事。\n然后呢？"
    assert len(_after("regatta " * 500, "Why?").text) == 300 + len("\nWhy?")


@given(st.text(max_size=120), st.text(max_size=60))
def test_any_message_can_be_read(message: str, last_reply: str) -> None:
    """Nothing raises, and the person's own words are always part of what is searched."""
    cue = _after(last_reply, message)
    assert message.strip() in cue.text
    text_tokens = {token for _, token in cue.text_tokens}
    assert cue.spans or text_tokens == set(cue.search_tokens)


TALK = [
    Utterance("I have joined a rowing club."),
    Utterance("How brave!", is_reply=True),
    Utterance("The regatta is in June."),
    Utterance("Tell me more.", is_reply=True),
]


def test_a_remark_is_read_with_the_conversation_before_it() -> None:
    """What was said last counts most, a reply as much as what it answers; worked out by hand."""
    cue = _read("I am so nervous.", talk=TALK)
    assert not cue.is_question
    assert [(said.text, round(said.weight, 3)) for said in cue.context] == [
        ("Tell me more.", 0.7),
        ("The regatta is in June.", 0.7),
        ("How brave!", 0.49),
        ("I have joined a rowing club.", 0.49),
    ]
    weights = cue.search_weights
    found = [round(weights[token], 3) for token in ("nervous", "regatta", "club")]
    assert found == [1.0, 0.7, 0.49]
    assert cue.text == "I am so nervous."


BASELINE: dict[Language, Vectors] = {
    "en": np.array([0.0, 0.0, 0.5], dtype=np.float32),
    "cn": np.array([0.0, 0.5, 0.0], dtype=np.float32),
}


class Axes:
    """An embedder with three directions: rowing, nerves, and everything else."""

    name, revision, dimension = "axes", "1", 3

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The direction of the first word that has one."""
        return np.stack([self._vector(text) for text in texts])

    passages = queries

    def _vector(self, text: str) -> Vectors:
        kinds = (("rowing", "划船"), ("nervous", "紧张"))
        told = (at for at, words in enumerate(kinds) if any(word in text for word in words))
        return np.asarray(np.eye(3, dtype=np.float32)[next(told, 2)])


def _cue(message: str, *talk: Utterance) -> Cue:
    profile = Profile("Nora", "en", "UTC", NOW)
    return build_cue(message, PersonMemory(profile, {}), now=NOW, talk=talk)


def test_a_question_is_embedded_alone() -> None:
    """Whatever was said before it."""
    found = cue_vectors(
        _cue("Where do I go rowing on Sundays?", Utterance("I am nervous.")), Axes(), BASELINE
    )
    assert found.message is not None
    assert found.compared is not None
    assert found.message.tolist() == [1.0, 0.0, 0.0]
    assert found.compared.tolist() == [1.0, 0.0, -0.5]
    assert not found.is_of_talk
    assert found.searched is found.message


def test_a_remark_is_the_mean_of_itself_and_its_conversation_less_the_baseline() -> None:
    """(nerves + rowing) / 2, less the baseline; worked out by hand."""
    cue = _cue("I am so nervous about the race.", Utterance("I have joined a rowing club."))
    found = cue_vectors(cue, Axes(), BASELINE)
    assert found.compared is not None
    assert found.compared.tolist() == pytest.approx([0.5, 0.5, -0.5])
    assert found.searched is found.compared

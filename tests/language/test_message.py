"""What a message is, in both languages: by its end, its words, their order."""

import tomllib
from pathlib import Path

import pytest

from siliconfriend.language.message import PersonText, read_message
from siliconfriend.language.tokenizer import tokenize
from tests.sentences import rows

UNKEPT: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "opt_out.toml").read_text(encoding="utf-8")
)
HARM = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "self_harm.toml").read_text(encoding="utf-8")
)


def test_a_question_by_its_words_and_by_its_end() -> None:
    """A question word may stand in a statement, which therefore does not end as a question."""
    for asked in ("What is it", "Tell me what it was.", "你喜欢画画吗", "Really?"):
        assert PersonText(asked).is_question, asked
    assert PersonText("我不知道怎么办").is_question
    assert not PersonText("When he comes I will be out.").is_question
    assert not PersonText("我不知道怎么办。").ends_as_question
    assert PersonText("你喜欢画画吗").ends_as_question
    assert PersonText("“Really?”").ends_as_question
    assert not PersonText("I like it.").ends_as_question
    assert not PersonText("I like it.").is_question


STATEMENTS = (
    *("他们正从我窗户底下跑过去呢", "他还没回来呢", "这个可好吃呢", "老师还夸我画得很好呢！"),
    *("今天可热闹呢~", "还在医院呢", "had my first scan", "had dinner with Kit", "is raining"),
    *("did the dishes and the laundry", "were in Leeds all week", "did it again", "isn't fair"),
    *("was so nervous", "had the flu", "does my head in"),
)
QUESTIONS = (
    *("你呢", "我的钥匙呢", "然后呢", "要是下雨呢", "怎么还不来呢", "去不去呢", "如果他不来呢"),
    *("你还没吃饭呢？", "did i tell you about kit", "was i ever in Japan", "was the film good"),
    *("can my son swim", "didn't i tell you", "did the vet call back", "was Fay ill?"),
    *("did the operation go well", "Tell me everything you know about my sister."),
    *("Recite the list I shared.", "Summarise October."),
)


@pytest.mark.parametrize("told", STATEMENTS)
def test_a_statement_that_looks_like_a_question(told: str) -> None:
    """A particle may end one, and people leave "I" out before a verb that may ask."""
    assert not PersonText(told).ends_as_question
    assert not PersonText(told).asks
    assert not PersonText(told).is_question


@pytest.mark.parametrize("asked", QUESTIONS)
def test_a_question_without_its_mark(asked: str) -> None:
    """It asks after somebody by a particle, or by the order of its words."""
    assert PersonText(asked).is_question
    assert PersonText(asked).ends_as_question == (not asked.isascii() or asked.endswith("?"))


@pytest.mark.parametrize(("message", "asks"), rows("asks_memory"))
def test_asking_for_what_was_told_is_told_from_remarks_and_asking_for_advice(
    message: str, asks: bool
) -> None:
    """The end of a message decides what kind it is."""
    assert PersonText(message).asks_memory is asks


@pytest.mark.parametrize(("message", "asks"), rows("asks_about_companion"))
def test_what_is_asked_of_the_companion_alone_is_about_it(message: str, asks: bool) -> None:
    """Whatever else a "you" stands in, the person's own memory answers it."""
    assert PersonText(message).asks_about_companion is asks


@pytest.mark.parametrize(("message", "what"), rows("wishes_to_forget"))
def test_wishes_are_known(message: str, what: str) -> None:
    """By their form; whom they name is as it was written."""
    assert PersonText(message).asks_to_forget == what


@pytest.mark.parametrize(
    ("kind", "meant"),
    [
        ("this", {"this"}),
        ("before", {"this", "before"}),
        ("next", {"this", "next"}),
        ("none", set()),
    ],
)
def test_wishes_not_to_be_remembered(kind: str, meant: set[str]) -> None:
    """Beside its matter a wish means this message, alone also the last words."""
    found = {message: PersonText(message).opts_out for message in UNKEPT[kind]}
    assert {message: kind for message, kind in found.items() if kind != meant} == {}


@pytest.mark.parametrize("words", HARM["said"])
def test_words_of_self_harm_are_found(words: str) -> None:
    """Alone and within a longer message, in any letter case."""
    assert PersonText(words).is_distress
    assert PersonText(f"It rained all day. {words.upper()}! 今天下雨。{words}。").is_distress


@pytest.mark.parametrize("words", HARM["not_said"])
def test_figures_of_speech_accidents_and_others_are_not(words: str) -> None:
    """Nor what is denied, nor what happened to somebody else."""
    assert not PersonText(words).is_distress


@pytest.mark.parametrize(
    ("written", "full"),
    [
        ("whats happening on sunday", "what's happening on sunday"),
        ("dont you remember what i said", "don't you remember what i said"),
        ("我让你提醒我啥", "我让你提醒我什么"),
        ("这周有啥事儿", "这周有什么事儿"),
        ("咋了", "怎么了"),
    ],
)
def test_colloquial_spellings_are_read_like_the_full_ones(written: str, full: str) -> None:
    """Contractions without an apostrophe and the question words of spoken Chinese."""
    assert tokenize(written) == tokenize(full)
    for sign in ("asks_memory", "asks_ahead", "asks_for_reminder", "is_question"):
        assert getattr(PersonText(written), sign) == getattr(PersonText(full), sign)


def test_a_message_is_read_once() -> None:
    """Whoever asks."""
    assert read_message("Hm.") is read_message("Hm.")


@pytest.mark.parametrize(
    ("message", "tells"),
    [
        ("His mother died.", True),
        ("Hello, my sister had a baby.", True),
        ("你好，我妹妹生了个女儿。", True),
        ("Thank you, that helped.", False),
        ("好的，我知道了", False),
        ("Hi! Who is Bertie?", False),
    ],
)
def test_a_courtesy_does_not_hide_what_is_told_behind_it(message: str, tells: bool) -> None:
    assert PersonText(message).tells_something is tells

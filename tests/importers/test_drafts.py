"""Messages into turns: what is joined, what is left out, and when it was said."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.importers.messages import Chat, ImportedMessage, Said
from siliconfriend.importers.turns import TurnDraft, leave_out_keys, make_drafts
from tests.importers.makers import NOW, UTC_ZONE, words_of

BERLIN = ZoneInfo("Europe/Berlin")


def _drafts(*messages: tuple[str, Said, str], zone: ZoneInfo = UTC_ZONE) -> list[TurnDraft]:
    return make_drafts(_chat(*messages), "text", zone, zone, NOW, "[key]")


def _chat(*messages: tuple[str, Said, str]) -> Chat:
    return Chat([ImportedMessage(name, said, text) for name, said, text in messages], "Ada", "Ben")


def _at(written: str) -> datetime:
    return datetime.fromisoformat(written)


def test_messages_in_a_row_are_joined() -> None:
    """Of each of the two; a new question begins a new turn."""
    drafts = _drafts(
        ("Ada", _at("2024-05-01T10:00Z"), "One"),
        ("Ada", _at("2024-05-01T10:01Z"), "Two"),
        ("Ben", _at("2024-05-01T10:02Z"), "Three"),
        ("Ben", _at("2024-05-01T10:03Z"), "Four"),
        ("Ada", _at("2024-05-01T10:04Z"), "Five"),
    )
    assert [words_of(draft) for draft in drafts] == [("One\nTwo", "Three\nFour"), ("Five", "")]


def test_what_lies_hours_apart_is_not_joined() -> None:
    """A question in the morning and a word at night are two turns, and nothing is lost."""
    drafts = _drafts(
        ("Ada", _at("2024-05-01T10:00Z"), "Morning"),
        ("Ada", _at("2024-05-01T22:00Z"), "Night"),
        ("Ben", _at("2024-05-02T08:00Z"), "Just saw this"),
    )
    assert [(draft.date, *words_of(draft)) for draft in drafts] == [
        ("2024-05-01", "Morning", ""),
        ("2024-05-01", "Night", ""),
        ("2024-05-02", "", "Just saw this"),
    ]


def test_an_answer_after_midnight_belongs_to_its_question() -> None:
    """The turn is of the day on which it was asked."""
    drafts = _drafts(
        ("Ada", _at("2024-05-01T23:59Z"), "Awake?"), ("Ben", _at("2024-05-02T00:01Z"), "Yes")
    )
    assert [(draft.date, *words_of(draft)) for draft in drafts] == [("2024-05-01", "Awake?", "Yes")]


def test_a_long_monologue_is_several_turns() -> None:
    """Each of a length that a memory can be recalled in."""
    drafts = _drafts(*(("Ada", _at("2024-05-01T10:00Z"), "x" * 1_500) for _ in range(6)))
    assert [len(draft.words) for draft in drafts] == [3, 3]


def test_the_hour_that_comes_twice() -> None:
    """When clocks go back, the order of the file tells the first from the second time."""
    drafts = _drafts(
        *(
            ("Ada" if at % 2 == 0 else "Ben", _at(f"2023-10-29T{clock}"), clock)
            for at, clock in enumerate(["02:10", "02:50", "02:20", "02:40", "03:10"])
        ),
        zone=BERLIN,
    )
    moments = [draft.time.astimezone(UTC).strftime("%H:%M") for draft in drafts if draft.time]
    assert moments == ["00:10", "01:20", "02:10"]


def test_times_that_cannot_be_right_are_left_out() -> None:
    """In the future and before anybody chatted; a clock that is a little ahead is none of these."""
    chat = _chat(
        ("Ada", _at("2026-03-14T23:00Z"), "Tonight"),
        ("Ada", _at("2031-01-01T00:00Z"), "Later"),
        ("Ada", _at("1900-01-01T00:00"), "Long ago"),
        ("Ada", date(1970, 1, 1), "Zero"),
        ("Ada", date(2027, 1, 1), "Next year"),
    )
    drafts = make_drafts(chat, "text", UTC_ZONE, UTC_ZONE, NOW, "[key]")
    assert [words_of(draft)[0] for draft in drafts] == ["Tonight"]
    assert +chat.skipped == {"future": 2, "too_old": 2}


def test_words_steer_nothing() -> None:
    """Escapes, marks of direction and halves of characters are no words."""
    said = "a\x1b]0;pwned\x07b\r\nc\u202ed\x00\ud800e"
    (draft,) = _drafts(("Ada", _at("2024-05-01T10:00Z"), said))
    assert words_of(draft)[0] == "a]0;pwnedb\ncde"


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-abcdefghijklmnopqrstuv_0123",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_" + "a1" * 18,
        "SG.abcdefghijklmnop.abcdefghijklmnop",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijkl",
        "123456789:AA" + "c" * 33,
        "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ncut",
    ],
)
def test_keys_are_left_out(key: str) -> None:
    """Whatever service they are of; the words around them stay."""
    end = "" if key.endswith("cut") else ". Keep it."
    assert leave_out_keys(f"Mine is {key}{end}", "[key]") == (f"Mine is [key]{end}", 1)
    address = "git clone https://{}@example.org/x"
    assert leave_out_keys(address.format("ada:hunter22"), "[key]")[0] == address.format("[key]")


@pytest.mark.parametrize(
    "words",
    [
        "I read sk-2 and the task-list-for-the-summer-holidays-in-norway.",
        "My password is a secret, see https://example.org/a:b@c",
        "AKIA is a word here; ghp_short too.",
        "-----BEGIN PGP PUBLIC KEY BLOCK-----",
    ],
)
def test_words_are_no_keys(words: str) -> None:
    """What only resembles one is left alone."""
    assert leave_out_keys(words, "[key]") == (words, 0)

"""WhatsApp's exported chats, of both systems and many languages."""

from pathlib import Path

import pytest

from siliconfriend.errors import Undecided, UnreadableFile, UsageError
from tests.importers.makers import UTC_ZONE, read, turns, write

FIRST = ("2023-05-13", "Are you there?", "Yes, just in.\nWhat is it?")


@pytest.mark.parametrize(
    "first",
    [
        "13/05/2023, 15:05 - ",  # Britain
        "13.05.23, 15:05 - ",  # Germany
        "5/13/23, 3:05\u202fPM - ",  # United States, with the narrow space that came in 2023
        "13/5/23, 3:05 p. m. - ",  # Spain
        "13-05-2023 15:05 - ",  # Netherlands
        "2023-05-13 15:05 - ",  # Sweden
        "[5/13/23, 3:05:09\u202fPM] ",  # iPhone: United States
        "[13.5.2023 klo 15.05.09] ",  # Finland
        "[2023/5/13 下午3:05:09] ",  # China
        "2023. 5. 13. 오후 3:05 - ",  # Korea
        "2023年5月13日 15:05 - ",  # China, in words
        "13/5/2566 15:05 - ",  # Thailand, with its own years
        "\u200f١٣\u200f/٥\u200f/٢٠٢٣, ٣:٠٥ م - ",  # Egypt, with its own digits and marks
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_phone_s_way_of_writing(tmp_path: Path, first: str, end: str) -> None:
    """One talk as phones of many countries write it is one and the same turn at 15:05."""
    second = first
    for minute, next_one in ((":05", ":06"), ("15.05", "15.06"), (":٠٥", ":٠٦")):
        second = second.replace(minute, next_one, 1)
    content = f"{first}Ada: Are you there?\n{second}Ben: Yes, just in.\nWhat is it?\n"
    path = write(tmp_path / "chat.txt", content.replace("\n", end))
    past = read(path, me="Ada", zone=UTC_ZONE)
    assert past.formats == ("whatsapp",)
    assert turns(past) == [FIRST]
    moment = past.drafts[0].time
    assert moment is not None
    assert (moment.hour, moment.minute) == (15, 5)


def _android(tmp_path: Path, *lines: str, name: str = "WhatsApp Chat with Ben.txt") -> Path:
    stamped = [f"13/05/2023, 15:{at:02} - {line}" for at, line in enumerate(lines)]
    return write(tmp_path / name, "\n".join(stamped) + "\n")


def test_the_file_s_name_tells_the_other(tmp_path: Path) -> None:
    """Whoever the file is called after is the other; nobody has to be asked."""
    past = read(_android(tmp_path, "Annie: Hello", "Ben: Hi"), zone=UTC_ZONE)
    assert (past.speakers, turns(past)) == ((("Annie", "Ben"),), [("2023-05-13", "Hello", "Hi")])


def test_a_file_of_another_name_tells_nothing(tmp_path: Path) -> None:
    """Somebody may have called it after themselves; of two names in it the longer one counts."""
    with pytest.raises(Undecided):
        read(_android(tmp_path, "Annie: Hello", "Ben: Hi", name="from Ben.txt"), zone=UTC_ZONE)
    name = "WhatsApp Chat with Annie.txt"
    past = read(_android(tmp_path, "Ann: Hello", "Annie: Hi", name=name), zone=UTC_ZONE)
    assert past.speakers == (("Ann", "Annie"),)


def test_a_chat_in_which_the_person_said_nothing(tmp_path: Path) -> None:
    """Beside one in which they did; with their name given nobody has to be asked."""
    first = _android(tmp_path, "Annie: Hello", "Ben: Hi", name="a.txt")
    second = write(tmp_path / "b.txt", "14/05/2023, 15:00 - Ben: Anybody?\n")
    past = read(first, second, me="Annie", zone=UTC_ZONE)
    assert turns(past) == [("2023-05-13", "Hello", "Hi"), ("2023-05-14", "", "Anybody?")]


def test_what_nobody_typed_is_left_out(tmp_path: Path) -> None:
    """Media, notices and deleted messages are counted; captions and edited words stay."""
    past = read(
        _android(
            tmp_path,
            "Messages and calls are end-to-end encrypted. Only people in this chat can read them.",
            "Annie: <Media omitted>",
            "Annie: <Medien ausgeschlossen>",
            "Ben: IMG-20230513-WA0001.jpg (file attached)\nThe garden today",
            "Ben: VID-20230513-WA0002.mp4 (Datei angehängt)",
            "Annie: This message was deleted",
            "Annie: Du hast diese Nachricht gelöscht.",
            "Annie: Lovely <This message was edited>",
            "Annie: I <3 it > all",
            "Ben: null",
        ),
        zone=UTC_ZONE,
    )
    assert turns(past) == [
        ("2023-05-13", "", "The garden today"),
        ("2023-05-13", "Lovely\nI <3 it > all", ""),
    ]
    assert past.left_out == {"system": 1, "media": 3, "deleted": 3}


def test_what_an_iphone_marks_is_left_out_in_any_language(tmp_path: Path) -> None:
    """The invisible mark says that nobody typed it; a caption stands before a file's mark."""
    content = (
        "[13.05.23, 15:05:09] Ben: \u200eNachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.\r\n"
        "[13.05.23, 15:05:10] Annie: \u200eBild weggelassen\r\n"
        "[13.05.23, 15:05:11] Annie: Unser Garten \u200e<attached: 00001-PHOTO.jpg>\r\n"
        "[13.05.23, 15:05:12] Ben: Schön! \u200e<Diese Nachricht wurde bearbeitet.>\r\n"
    )
    past = read(write(tmp_path / "_chat.txt", content), me="Annie", zone=UTC_ZONE)
    assert turns(past) == [("2023-05-13", "Unser Garten", "Schön!")]
    assert past.left_out == {"system": 2}


def test_a_line_that_only_looks_like_a_beginning(tmp_path: Path) -> None:
    """What somebody typed in another way of writing dates is part of their words."""
    past = read(
        _android(tmp_path, "Annie: Plan:\n14.5. 10:00 - dentist\n2023-05-15 11:00 - Ben: call him"),
        zone=UTC_ZONE,
        me="Annie",
    )
    assert turns(past)[0][1] == "Plan:\n14.5. 10:00 - dentist\n2023-05-15 11:00 - Ben: call him"


def test_words_may_begin_below_their_name(tmp_path: Path) -> None:
    """A message that opens with an empty line, of both systems."""
    said = [("2023-05-13", "Plan:\nmilk", "")]
    path = _android(tmp_path, "Annie:\nPlan:\nmilk", name="chat.txt")
    assert turns(read(path, me="Annie", zone=UTC_ZONE)) == said
    path = write(tmp_path / "_chat.txt", "[13.05.23, 15:05:09] Annie: \r\nPlan:\r\nmilk\r\n")
    assert turns(read(path, me="Annie", zone=UTC_ZONE)) == said


def test_the_order_of_dates_is_decided_by_the_whole_file(tmp_path: Path) -> None:
    """One day above 12 settles it for all; else that time only goes on; else it is asked."""
    settled = "3/4/23, 15:05 - Ada: Hello\n3/14/23, 15:05 - Ben: Hi\n"
    assert turns(read(write(tmp_path / "a.txt", settled), zone=UTC_ZONE))[0][0] == "2023-03-04"
    rising = "10/1/23, 15:05 - Ada: Hello\n1/2/23, 15:05 - Ben: Hi\n"
    assert turns(read(write(tmp_path / "b.txt", rising), zone=UTC_ZONE))[0][0] == "2023-01-10"
    open_ = write(tmp_path / "c.txt", "3/4/23, 15:05 - Ada: Hello\n3/5/23, 15:05 - Ben: Hi\n")
    with pytest.raises(Undecided) as asked:
        read(open_, zone=UTC_ZONE)
    assert (asked.value.option, asked.value.choices) == ("date-order", ("day", "month"))
    assert turns(read(open_, zone=UTC_ZONE, date_order="day"))[0][0] == "2023-04-03"
    assert turns(read(open_, zone=UTC_ZONE, date_order="month"))[0][0] == "2023-03-04"
    neither = write(tmp_path / "d.txt", "13/4/23, 15:05 - Ada: a\n4/13/23, 15:05 - Ben: b\n")
    with pytest.raises(UnreadableFile):
        read(neither, zone=UTC_ZONE)


def test_noon_and_midnight(tmp_path: Path) -> None:
    """Twelve in the morning is midnight, in either language."""
    for midnight, noon in (("12:30 AM", "12:30 PM"), ("凌晨12:30", "中午12:30")):
        content = f"5/13/23, {midnight} - Ada: a\n5/13/23, {noon} - Ada: b\n"
        past = read(write(tmp_path / "a.txt", content), zone=UTC_ZONE)
        assert [draft.time.hour for draft in past.drafts if draft.time] == [0, 12]


def test_a_group_needs_two_names(tmp_path: Path) -> None:
    """It is refused with who is in it; with two names only their words are taken."""
    path = _android(tmp_path, "Annie: Who cooks?", "Cleo: Me!", "Ben: I do", name="group.txt")
    with pytest.raises(UsageError) as refused:
        read(path, zone=UTC_ZONE, me="Annie")
    assert refused.value.key == "import_group"
    past = read(path, zone=UTC_ZONE, me="Annie", other="Ben")
    assert turns(past) == [("2023-05-13", "Who cooks?", "I do")]
    assert past.left_out == {"others": 1}


def test_two_speakers_and_nobody_knows_who_is_who(tmp_path: Path) -> None:
    """It is asked, with both names; the person's own name answers it."""
    path = _android(tmp_path, "Annie: Hello", "Ben: Hi", name="chat.txt")
    with pytest.raises(Undecided) as asked:
        read(path, zone=UTC_ZONE)
    assert (asked.value.option, set(asked.value.choices)) == ("me", {"Annie", "Ben"})
    assert read(path, zone=UTC_ZONE, user="annie").speakers == (("Annie", "Ben"),)
    assert read(path, zone=UTC_ZONE, other="Annie").speakers == (("Ben", "Annie"),)
    for names, key in (
        ({"me": "Zoe"}, "import_no_speaker"),
        ({"me": "Ben", "other": "Ben"}, "import_same_name"),
    ):
        with pytest.raises(UsageError) as refused:
            read(path, zone=UTC_ZONE, **names)
        assert refused.value.key == key

"""Talks as plain text, and WeChat's in the layouts of the programs that write them."""

from pathlib import Path

import pytest

from siliconfriend.errors import Undecided, UnreadableFile, UsageError
from tests.importers.makers import UTC_ZONE, read, turns, words_of, write


@pytest.mark.parametrize(
    "content",
    [
        "Ada: Hello\nBen: Hi\nhow are you?\n",
        "**Ada:** Hello\n\n**Ben:** Hi\nhow are you?\n",
        "Ada：\nHello\n\nBen：\nHi\nhow are you?\n",
    ],
)
def test_names_and_words(tmp_path: Path, content: str) -> None:
    """Without a date they are of the day that is named, and of no hour."""
    path = write(tmp_path / "talk.txt", content)
    with pytest.raises(Undecided) as asked:
        read(path)
    assert asked.value.option == "day"
    past = read(path, day="2022-08-09")
    assert turns(past) == [("2022-08-09", "Hello", "Hi\nhow are you?")]
    assert past.drafts[0].time is None


@pytest.mark.parametrize(
    "content",
    [
        "2022-08-09\nAda: Hello\nBen: Hi\n\n2022-08-10\nAda: Bye\n",
        "=== 2022年8月9日（周二） ===\nAda: Hello\nBen: Hi\n--- 2022年8月10日 ---\nAda: Bye\n",
        "2022-08-09 Ada: Hello\n2022-08-09 Ben: Hi\n2022-08-10 Ada: Bye\n",
    ],
)
def test_days_without_a_clock(tmp_path: Path, content: str) -> None:
    """A day in a line of its own counts for what follows; no time zone is asked for."""
    past = read(write(tmp_path / "talk.txt", content), form="text")
    assert turns(past) == [("2022-08-09", "Hello", "Hi"), ("2022-08-10", "Bye", "")]


@pytest.mark.parametrize(
    "content",
    [
        "[2022-08-09 21:05] Ada: Hello\n[2022-08-09 21:06] Ben: Hi\n",
        "2022/08/09 9:05 PM - Ada: Hello\n2022/08/09 9:06 PM - Ben: Hi\n",
        "2022-08-09\n(21:05) Ada: Hello\n(21:06) Ben: Hi\n",
    ],
)
def test_days_and_clocks(tmp_path: Path, content: str) -> None:
    """Before each name, or under a day."""
    past = read(write(tmp_path / "talk.txt", content), form="text", zone=UTC_ZONE)
    assert turns(past) == [("2022-08-09", "Hello", "Hi")]
    assert past.drafts[0].time is not None
    assert past.drafts[0].time.isoformat() == "2022-08-09T21:05:00+00:00"


@pytest.mark.parametrize(
    "content",
    [
        "Amy: Hello\nTom: Hi\n",
        "2022-08-09T21:05 Amy: Hello\n2022-08-09T21:06 Tom: Hi\n",
        "2022-08-09, 9:05 pm Amy: Hello\n2022-08-09, 9:06 p.m. Tom: Hi\n",
    ],
)
def test_a_name_keeps_its_first_letters(tmp_path: Path, content: str) -> None:
    """Neither the T between day and clock nor the Am after a clock is taken from it."""
    path = write(tmp_path / "talk.txt", content)
    past = read(path, form="text", me="Amy", day="2022-08-09", zone=UTC_ZONE)
    assert past.speakers == (("Amy", "Tom"),)
    assert turns(past) == [("2022-08-09", "Hello", "Hi")]


def test_the_other_keeps_their_words_when_only_the_person_is_told(tmp_path: Path) -> None:
    """Ben's lines are no part of what Ada said before them."""
    path = write(tmp_path / "talk.txt", "Emma: Hello\nBen: Hi\nEmma: Bye\n")
    past = read(path, me="Emma", day="2022-08-09")
    assert past.speakers == (("Emma", "Ben"),)
    assert turns(past) == [("2022-08-09", "Hello", "Hi"), ("2022-08-09", "Bye", "")]


def test_of_a_group_the_others_words_are_nobody_elses(tmp_path: Path) -> None:
    content = "Emma: Hello\nBen: Hi\nCy: I am here.\nEmma: My list\nMilk: 2\nCy: And I.\nBen: Bye\n"
    path = write(tmp_path / "talk.txt", content)
    past = read(path, me="Emma", other="Ben", day="2022-08-09")
    assert [words_of(draft) for draft in past.drafts] == [
        ("Hello", "Hi"),
        ("My list\nMilk: 2", "Bye"),
    ]
    assert past.left_out == {"others": 2}


def test_what_only_looks_like_a_name(tmp_path: Path) -> None:
    """A third name is not guessed away: with two names given it is words."""
    path = write(tmp_path / "talk.txt", "Ada: My list\nNote: buy milk\nBen: Fine\n")
    with pytest.raises(UsageError) as refused:
        read(path, day="2022-08-09")
    assert refused.value.key == "import_group"
    past = read(path, day="2022-08-09", me="Ada", other="Ben")
    assert turns(past) == [("2022-08-09", "My list\nNote: buy milk", "Fine")]


def test_wrong_days(tmp_path: Path) -> None:
    """A day that is none, and a text in which nobody speaks."""
    path = write(tmp_path / "talk.txt", "Ada: Hello\nBen: Hi\n")
    with pytest.raises(UsageError):
        read(path, day="yesterday")
    with pytest.raises(UsageError):
        read(write(tmp_path / "dated.txt", "2023-05-01 Ada: Hello\n"), day="2023-02-31")
    with pytest.raises(UnreadableFile):
        read(write(tmp_path / "b.txt", "Only prose here.\nNothing else."), form="text")
    with pytest.raises(UnreadableFile) as refused:
        read(write(tmp_path / "c.txt", "9.8.2022 Ada: a\nb\n31.2.2022 Ben: c\n"), form="text")
    assert (refused.value.details["line"], refused.value.details["date"]) == (3, "31-2-2022")


SAID = [("2023-05-01", "今天去了公园\n看见很多樱花", "真好啊"), ("2023-05-01", "下次一起去", "")]


@pytest.mark.parametrize(
    "content",
    [
        "2023-05-01 12:00:00 小明\n今天去了公园\n看见很多樱花\n\n2023-05-01 12:01:00 小红\n真好啊\n\n2023-05-01 12:02:00 小明\n下次一起去\n\n",
        "小明 2023-05-01 12:00:00\n今天去了公园\n看见很多樱花\n\n小红 2023-05-01 12:01:00\n真好啊\n小明 2023-05-01 12:02:00\n下次一起去",
        "小明(2023/5/1 12:00)：\n今天去了公园\n看见很多樱花\n小红(2023/5/1 12:01)：\n真好啊\n小明(2023/5/1 12:02)：\n下次一起去\n",
        "2023年5月1日 12:00 小明\n今天去了公园\n看见很多樱花\n2023年5月1日 12:01 小红\n真好啊\n2023年5月1日 12:02 小明\n下次一起去\n",
        "2023-05-01 12:00:00 '小明'\n今天去了公园\n看见很多樱花\n\n2023-05-01 12:01:00 '小红'\n真好啊\n\n2023-05-01 12:02:00 '小明'\n下次一起去\n\n",
        "[2023-05-01 12:00:00] 小明：今天去了公园\n看见很多樱花\n[2023-05-01 12:01:00] 小红：真好啊\n[2023-05-01 12:02:00] 小明：下次一起去\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_every_layout(tmp_path: Path, content: str, encoding: str) -> None:
    """Time before name, name before time, words below or behind; in any encoding."""
    path = tmp_path / "小红.txt"
    path.write_bytes(content.replace("\n", "\r\n").encode(encoding))
    past = read(path, me="小明", zone=UTC_ZONE, form="wechat-text")
    assert (past.formats, past.speakers) == (("wechat-text",), (("小明", "小红"),))
    assert turns(past) == SAID


def test_what_nobody_wrote(tmp_path: Path) -> None:
    """Pictures, notices and quoted words of others are left out; faces are words."""
    content = (
        "2023-05-01 12:00:00 小明\n[图片]\n\n"
        "2023-05-01 12:01:00 你撤回了一条消息\n\n"
        "2023-05-01 12:02:00 小明\n[微笑]\n\n"
        "2023-05-01 12:03:00 小红\n同意\n引用:小明:[微笑]\n\n"
        "2023-05-01 12:04:00 小红\n[链接]:title:一篇文章\n\n"
        "2023-05-01 12:05:00 小红\n[表情包：挥手]\n\n"
        "2023-05-01 12:06:00 小红\n[语音] 5秒\n\n"
    )
    past = read(write(tmp_path / "小红.txt", content), me="小明", zone=UTC_ZONE)
    assert turns(past) == [("2023-05-01", "[微笑]", "同意")]
    assert past.left_out == {"media": 4, "system": 1}


def test_a_voice_message_that_was_written_down_is_what_was_said(tmp_path: Path) -> None:
    content = "2023-05-01 12:00:00 小明\n[语音消息] 我到家了\n\n2023-05-01 12:01:00 小红\n好\n\n"
    past = read(write(tmp_path / "小红.txt", content), me="小明", zone=UTC_ZONE)
    assert turns(past) == [("2023-05-01", "我到家了", "好")]


@pytest.mark.parametrize(
    "content",
    [
        "2023-05-01 12:00:00 我\n在吗\n\n2023-05-01 12:01:00 小红\n在\n\n",
        "[2023-05-01 12:00:00] 我: 在吗\n[2023-05-01 12:01:00] 小红: 在\n",
        "2023-05-01\n我：在吗\n小红：在\n",
    ],
)
def test_i_am_the_person(tmp_path: Path, content: str) -> None:
    """Whoever the program calls 我 is the person, in any layout."""
    past = read(write(tmp_path / "a.txt", content), zone=UTC_ZONE)
    assert past.speakers == (("我", "小红"),)


def test_a_day_that_is_none_is_words(tmp_path: Path) -> None:
    """2023-13-45 begins no message."""
    content = "2023-05-01 12:00:00 我\n在吗\n2023-13-45 12:00:00 小红\n"
    past = read(write(tmp_path / "a.txt", content), zone=UTC_ZONE)
    assert turns(past) == [("2023-05-01", "在吗\n2023-13-45 12:00:00 小红", "")]

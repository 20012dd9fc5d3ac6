"""The files of an export: zips, encodings, and what is made to do harm."""

import json
import zipfile
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest

from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.importers import files as source
from tests.importers.makers import UTC_ZONE, gpt_conversation, gpt_message, pack, read, turns, write

TALK = [gpt_conversation(gpt_message("user", "Hello", "2025-05-01T10:00"))]


def _key(path: Path) -> str:
    with pytest.raises(UnreadableFile) as refused:
        read(path, form="chatgpt")
    assert refused.value.message("cn") != refused.value.message("en")
    return refused.value.key


def test_a_cut_zip(tmp_path: Path) -> None:
    """A download that broke off, at any place, is refused whole."""
    path = pack(tmp_path / "export.zip", conversations__json=TALK)
    whole = path.read_bytes()
    for length in (20, len(whole) // 2, len(whole) - 10):
        path.write_bytes(whole[:length])
        assert _key(path) == "import_bad_zip"


def test_a_damaged_entry_of_a_zip(tmp_path: Path) -> None:
    """Bytes that do not agree with their checksum are no words."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as packed:
        packed.writestr("conversations.json", write(tmp_path / "a.json", TALK).read_text())
    path.write_bytes(path.read_bytes().replace(b"Hello", b"Hallo", 1))
    assert _key(path) == "import_bad_zip"


def test_a_zip_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would unpack to a thousand times itself is refused before, in one file or in many."""
    monkeypatch.setattr(source, "RATIO_FROM", 100_000)
    path = pack(tmp_path / "bomb.zip", conversations__json='[{"mapping": {' + " " * 200_000)
    assert _key(path) == "import_zip_bomb"
    several = {
        f"conversations-{place}__json": '[{"mapping": {' + " " * 20_000 for place in range(9)
    }
    assert _key(pack(tmp_path / "bombs.zip", **several)) == "import_zip_bomb"
    monkeypatch.setattr(source, "LARGEST", 1_000)
    large = pack(tmp_path / "large.zip", conversations__json="[" + str(list(range(500))) + "]")
    assert _key(large) == "import_zip_bomb"
    assert _key(write(tmp_path / "large.json", "[" + " " * 2_000)) == "import_too_large"
    monkeypatch.setattr(source, "MOST_ENTRIES", 2)
    path = pack(tmp_path / "many.zip", a__json="[]", b__json="[]", c__json="[]")
    assert _key(path) == "import_zip_bomb"


def test_a_locked_zip(tmp_path: Path) -> None:
    """A password is not asked for; what to do is said."""
    path = pack(tmp_path / "locked.zip", conversations__json=TALK)
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))
    assert _key(path) == "import_zip_locked"


def test_names_in_a_zip_lead_nowhere(tmp_path: Path) -> None:
    """A name with ``..`` in it is read like any other and written nowhere."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("../../conversations.json", write(tmp_path / "a.json", TALK).read_text())
    before = sorted(tmp_path.parent.rglob("*"))
    assert len(read(path).drafts) == 1
    assert sorted(tmp_path.parent.rglob("*")) == before


def test_empty_and_foreign_files(tmp_path: Path) -> None:
    """Each has its own sentence."""
    assert _key(write(tmp_path / "a.json", "")) == "import_empty"
    assert _key(write(tmp_path / "b.json", '{"some": "thing"}')) == "import_not_format"
    assert _key(pack(tmp_path / "c.zip", readme__md="hello")) == "import_not_format"
    assert _key(tmp_path / "missing.json") == "file_missing"
    assert _key(tmp_path) == "file_missing"
    with pytest.raises(UnreadableFile) as refused:
        read(write(tmp_path / "d.txt", "prose without a speaker\n"))
    assert refused.value.key == "import_no_format"


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        ("13.05.23, 15:05 - Jörg: Schöne Grüße aus Köln, es regnet.\n", "cp1252"),
        ("2023/5/13 15:05 - 太郎: 今日は公園に行きました、楽しかったです。\n", "shift_jis"),
        ("2023/5/13 15:05 - 小明: 今天去了公园，看见很多樱花。\n", "gb18030"),
        ("2023/5/13 15:05 - 小明: 今天去了公園，看見很多櫻花。\n", "big5"),
        ("2023/5/13 15:05 - 小明: 今天去了公园。\n", "utf-16-le"),
        ("2023/5/13 15:05 - 小明: 今天去了公园。\n", "utf-8-sig"),
    ],
)
def test_the_encoding_is_found_out(tmp_path: Path, words: str, encoding: str) -> None:
    """By its mark, or by what the text looks like."""
    path = tmp_path / "chat.txt"
    path.write_bytes((words * 3).encode(encoding))
    name, said = words.strip().partition(" - ")[2].split(": ")
    past = read(path, me=name, zone=UTC_ZONE)
    assert turns(past)[0][1].splitlines()[0] == said


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_json_may_be_in_another_encoding(tmp_path: Path, encoding: str) -> None:
    """As an editor may have written it again."""
    talk = [
        gpt_conversation(gpt_message("user", "今天去了公园，看见很多樱花。", "2025-05-01T10:00"))
    ]
    path = tmp_path / "conversations.json"
    path.write_bytes(json.dumps(talk, ensure_ascii=False).encode(encoding))
    assert turns(read(path)) == [("2025-05-01", "今天去了公园，看见很多樱花。", "")]


def test_foreign_letters_far_behind_the_beginning(tmp_path: Path) -> None:
    """A mebibyte of plain letters does not make it UTF-8."""
    line = "13.05.23, 15:05 - Ada: nothing but plain letters in this line\n"
    path = tmp_path / "chat.txt"
    path.write_bytes((line * 20_000 + "13.05.23, 15:06 - Ada: Schöne Grüße\n").encode("cp1252"))
    assert turns(read(path, zone=UTC_ZONE))[-1][1].endswith("Schöne Grüße")


def test_an_encoding_that_is_wrong(tmp_path: Path) -> None:
    """Named by the person it counts, and where it does not fit nothing is taken."""
    path = tmp_path / "chat.txt"
    path.write_bytes("13.05.23, 15:05 - Ada: Grüße\n".encode("cp1252"))
    assert turns(read(path, zone=UTC_ZONE, encoding="cp1252"))[0][1] == "Grüße"
    for encoding in ("utf-8", "klingon", "hex"):
        with pytest.raises(UnreadableFile) as refused:
            read(path, zone=UTC_ZONE, encoding=encoding)
        assert refused.value.key == "import_wrong_encoding"


def test_files_somebody_uploaded_are_not_the_export(tmp_path: Path) -> None:
    """A talk that lies in a zip as an attachment is not taken for the person's own."""
    stray = [gpt_conversation(gpt_message("user", "Not mine", "2025-05-01T10:00"), prefix="s")]
    path = pack(
        tmp_path / "export.zip",
        **{"conversations__json": TALK, "file-1__json": stray, "file-2__txt": "Ada: x\nBen: y\n"},
    )
    assert [turn[1] for turn in turns(read(path))] == ["Hello"]
    chat = "13.05.23, 15:05 - {}: Hello\n"
    android = pack(
        tmp_path / "WhatsApp Chat with Ben.zip",
        **{
            "WhatsApp Chat with Ben__txt": chat.format("Ben"),
            "WhatsApp Chat with Cleo__txt": chat.format("Cleo"),
        },
    )
    assert read(android, me="Ben", zone=UTC_ZONE).speakers == (("Ben", ""),)


@pytest.mark.parametrize(
    "words",
    [
        "-" + " " * 2_000 + "#",
        "2020-1-1" + " " * 9_000 + "!",
        "<" + '"page_wrap"' * 5_000,
        "1/2/20, 10:00 - Ada: " + "<" + "edited" * 9_000 + "b\n1/2/20, 10:01 - Ben: Hi\n",
    ],
)
def test_no_line_keeps_the_reader_busy(tmp_path: Path, words: str) -> None:
    """However its spaces and marks could be divided."""
    path = write(tmp_path / "talk.txt", words)
    start = process_time()
    with suppress(UsageError):
        read(path)
    assert process_time() - start < 0.4

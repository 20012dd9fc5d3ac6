"""`users list|show|delete`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_nobody_yet(run: Run, home: Path) -> None:
    """An empty home is said to be empty, and JSON is an empty list."""
    done = run("users", "list")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"Nobody is remembered yet in {home}.\n"
    assert run("users", "list", "--json").json == {"users": []}


def test_list_and_show(run: Run, bank: Path) -> None:
    """Numbers and the span of days, and for one person the texts about all days."""
    assert run("import", str(bank)).code == 0
    line = (
        "Ada (with default, English): 3 turns on 2 days, 2026-03-02 to 2026-03-10; 0 days summed up"
    )
    assert run("users", "list").out == line + "\n"
    assert run("users", "show", "Ada").out == (
        f"{line}\n"
        "\nWhat has happened\n(not made yet; `siliconfriend nightly` makes it)\n"
        "\nWhat they are like\n(not made yet; `siliconfriend nightly` makes it)\n"
    )
    described = {
        "user": "Ada",
        "companion": "default",
        "language": "en",
        "timezone": "UTC",
        "days": 2,
        "turns": 3,
        "summaries": 0,
        "first": "2026-03-02",
        "last": "2026-03-10",
    }
    assert run("users", "list", "--json").json == {"users": [described]}
    assert run("users", "show", " Ada ", "--json").json == described | {
        "overall_history": "",
        "overall_personality": "",
    }


def test_delete_erases_every_file_and_proves_it(run: Run, bank: Path, home: Path) -> None:
    """No file of the data directory names an id or a word of the person, and others stay."""
    other = bank.with_name("other.json")
    content = json.loads(bank.read_text(encoding="utf-8"))
    other.write_text(
        json.dumps({"Bo": content["Ada"] | {"name": "Bo"}}, ensure_ascii=False), encoding="utf-8"
    )
    run("import", str(bank))
    run("import", str(other))
    run("nightly")
    run("recall", "--user", "Ada", "Where is Biscuit?", "--reinforce")
    before = [path for path in home.rglob("*") if path.is_file()]
    done = run("users", "delete", "Ada", "--yes", "--json")
    assert done.code == 0
    assert done.json["deleted"] == [{"user": "Ada", "companion": "default"}]
    assert done.json["left"] == 0
    after = [path for path in home.rglob("*") if path.is_file()]
    assert 0 < done.json["searched"] <= len(after) < len(before)
    assert all(b"Ada" not in path.read_bytes() for path in after)
    assert [it["user"] for it in run("users", "list", "--json").json["users"]] == ["Bo"]
    assert run("users", "show", "Ada").code == 2


def test_the_demo_below_the_home_is_another_store(run: Run, bank: Path, home: Path) -> None:
    """Erasing Ada says nothing of the Ada somebody plays in the demo, who stays."""
    run("import", str(bank))
    run("--home", str(home / "demo"), "import", str(bank))
    done = run("users", "delete", "Ada", "--yes", "--json")
    assert (done.code, done.json["left"]) == (0, 0)
    assert run("--home", str(home / "demo"), "users", "show", "Ada").code == 0


def test_what_is_left_is_told_and_no_success(run: Run, bank: Path, home: Path) -> None:
    """A file somebody put aside that still holds an id is found, named, and exit code 4."""
    run("import", str(bank))
    stray = home / "night" / "stray.txt"
    stray.parent.mkdir(exist_ok=True)
    listed = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    stray.write_text(f"about {listed[0]['id']}", encoding="utf-8")
    done = run("users", "delete", "Ada", "--yes")
    assert done.code == 4
    assert done.out.endswith(": 1 left.\n")
    assert done.err == f"Something is left in {stray}.\n"


def test_a_memory_that_cannot_be_read_can_be_deleted(run: Run, bank: Path, home: Path) -> None:
    """Nobody can say what it held, and its folder is gone all the same."""
    run("import", str(bank))
    (folder,) = (home / "people").iterdir()
    for path in folder.rglob("*.json*"):
        path.write_bytes(b"\x00")
    done = run("users", "delete", "Ada", "--yes", "--json")
    assert (done.code, done.json["left"]) == (0, 0)
    assert not folder.exists()
    assert run("users", "delete", "Ada", "--yes").code == 2


def test_delete_asks_and_without_a_person_to_ask_does_nothing(run: Run, bank: Path) -> None:
    """From a script --yes is needed; nothing is erased without it."""
    run("import", str(bank))
    done = run("users", "delete", "Ada")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Nothing was erased: this cannot be undone")
    assert run("users", "show", "Ada").code == 0


def test_delete_leaves_another_companions_memory(run: Run, bank: Path) -> None:
    """With --companion only that companion forgets the person."""
    run("import", str(bank))
    run("import", str(bank), "--companion", "Robin")
    assert run("users", "delete", "Ada", "--companion", "Robin", "--yes").code == 0
    people = run("users", "list", "--json").json["users"]
    assert [(it["user"], it["companion"]) for it in people] == [("Ada", "default")]


def test_a_person_of_chinese_is_shown_in_chinese(
    run: Run, bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless the language of the run is set; and an English person in English the other way round."""
    run("import", str(bank))
    run("chat", "--user", "小明", "--lang", "cn", said="我种了豆子。\n")
    english = run("users", "show", "Ada").out
    chinese = run("users", "show", "小明").out
    assert chinese.startswith("小明（和 default，中文）：1 天里的 1 轮对话")
    assert "\n经历\n" in chinese
    assert "What has happened" not in chinese
    assert "我种了豆子" in run("memories", "list", "--user", "小明").out
    none = run("memories", "search", "--user", "小明", "--kind", "day").out
    assert none == "记得的小明的事里没有符合的。\n"
    assert "我种了豆子" in run("recall", "--user", "小明", "我种了什么？").out
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", "en")
    assert "What has happened" in run("users", "show", "小明").out
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", "cn")
    assert run("users", "show", "Ada").out != english
    assert "What has happened" not in run("users", "show", "Ada").out


def test_one_memory_that_cannot_be_opened_hides_nobody_else(
    run: Run, bank: Path, home: Path
) -> None:
    """`users list` names it and exits with 4, the night does the others' and exits with 6."""
    run("import", str(bank))
    run("import", str(bank), "--companion", "Robin")
    lock = next(home.glob("people/*/companions/*/lock"))
    lock.unlink()
    lock.mkdir()
    done = run("users", "list", "--json")
    assert (done.code, [it["companion"] for it in done.json["users"]]) == (4, ["default"])
    assert f"The memory of Ada cannot be opened: {lock} (Is a directory)." in done.err
    night = run("nightly", "--json")
    statuses = {it["companion"]: it["status"] for it in night.json["users"]}
    assert (night.code, statuses) == (6, {"default": "ok", "Robin": "failed"})
    assert (
        "Ada 的记忆打不开" in run("config", "set", "language", "cn").err + run("users", "list").err
    )

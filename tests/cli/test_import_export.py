"""`import` and `export`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from siliconfriend.memory.passing import is_passing
from tests.cli.conftest import Run, bank_of
from tests.disk import Disk


def test_import_says_what_came_in_and_twice_adds_nothing(run: Run, bank: Path, home: Path) -> None:
    """The second time every person is known, and the ids are those of the first time."""
    first = run("import", str(bank))
    assert (first.code, first.out) == (0, "Ada: 3 turns added\nRead 1 person, added 3 turns.\n")
    assert first.err == f"Data directory: {home}\n"
    ids = [it["id"] for it in run("memories", "list", "--user", "Ada", "--json").json["memories"]]
    second = run("import", str(bank))
    assert second.out == "Ada: nothing new\nRead 1 person, added 0 turns.\n"
    again = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    assert [it["id"] for it in again] == ids


def test_import_says_what_stays_erased(run: Run, bank: Path) -> None:
    """What was erased here is not brought back by its file, and that is told."""
    run("import", str(bank))
    erased = run("memories", "list", "--user", "Ada", "--json").json["memories"][0]["id"]
    run("memories", "erase", "--user", "Ada", erased, "--yes")
    done = run("import", str(bank))
    assert done.out.splitlines() == [
        "Ada: nothing new",
        "Ada: not brought back, because it was erased here: 1 turn",
        "Read 1 person, added 0 turns.",
    ]


def test_import_in_chinese(run: Run, tmp_path: Path) -> None:
    """Everything said beside the answer is in the language of the settings."""
    path = tmp_path / "bank.json"
    content = bank_of("小明", ("2026-03-02", [("我养了一只猫。", "真好，叫什么？")]))
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    done = run("import", str(path), "--lang", "zh")
    assert done.out == "小明：新增 1 轮对话\n读入 1 个人，新增 1 轮对话。\n"
    assert run("users", "list", "--json").json["users"][0]["language"] == "cn"


def test_export_is_what_was_imported(run: Run, bank: Path) -> None:
    """Out comes what went in, and it can go in again elsewhere."""
    run("import", str(bank))
    exported = run("export").json
    said = {
        date: [(it["query"], it["response"]) for it in turns]
        for date, turns in exported["Ada"]["history"].items()
    }
    given = json.loads(bank.read_text(encoding="utf-8"))["Ada"]["history"]
    assert said == {
        date: [(it["query"], it["response"]) for it in turns] for date, turns in given.items()
    }
    assert run("export", "--user", "Ada").json == exported


def test_export_to_a_file_is_for_its_owner_only(run: Run, bank: Path, tmp_path: Path) -> None:
    """A diary on disk is not for everyone on the machine."""
    run("import", str(bank))
    out = tmp_path / "out.json"
    done = run("export", "--format", "native", "--out", str(out))
    assert (done.code, done.out) == (0, "")
    assert done.err == f"Wrote 1 person to {out}.\n"
    assert "Ada" in json.loads(out.read_text(encoding="utf-8"))
    assert out.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("form", ["native", "markdown"])
def test_an_export_stopped_at_any_step(run: Run, bank: Path, tmp_path: Path, form: str) -> None:
    """There is no half of a file, what was there before stays, and the next one is whole."""
    run("import", str(bank))
    out = tmp_path / "out" / "of"
    words = ("export", "--user", "Ada", "--format", form, "--out", str(out))
    disk = Disk(out.parent)
    out.parent.mkdir()
    with disk.watched():
        run(*words)
    whole = _files(out.parent)
    assert disk.steps > 4
    for step in range(disk.steps):
        for earlier in ({}, whole):
            shutil.rmtree(out.parent)
            _put(out.parent, earlier)
            disk = Disk(out.parent)
            disk.stop_at = step
            with disk.watched():
                run(*words)
            left = _files(out.parent)
            done = {it for it in left if it in whole and not it.name.startswith(".")}
            assert all(left[it] == whole[it] for it in done), step
            assert all(it in whole or it.suffix == ".new" or is_passing(it) for it in left), step
            assert earlier.keys() <= left.keys(), step
            assert run(*words).code == 0
            assert _files(out.parent) == whole, step


def _files(folder: Path) -> dict[Path, bytes]:
    found = (it for it in folder.rglob("*") if it.is_file())
    return {it.relative_to(folder): it.read_bytes() for it in found}


def _put(folder: Path, files: dict[Path, bytes]) -> None:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def test_export_where_nothing_can_be_written(run: Run, bank: Path, tmp_path: Path) -> None:
    """Exit code 3, and no half of a file."""
    run("import", str(bank))
    done = run("export", "--out", str(tmp_path / "no" / "out.json"))
    assert (done.code, done.out) == (3, "")
    assert "cannot be written" in done.err


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "",
        "[1, 2]",
        '"words"',
        '{"Ada": 3}',
        '{"Ada": {"history": 3}}',
        '{"Ada": {"history": {"2026-03-02": [{"response": "no query"}]}}}',
        '{"Ada": {"history": {"someday": [["a", "b"]]}}}',
        '{"../x": {"history": {"2026-03-02": [["a", "b"]]}}}',
        '{"Ada": {"history": {"2026-03-02": [["a", "b"]]}}, "": {"history": {}}}',
    ],
)
def test_a_bad_file_imports_nothing(run: Run, home: Path, tmp_path: Path, content: str) -> None:
    """Exit code 2, one sentence, and no person half taken in."""
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")
    done = run("import", str(path), "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err.strip()
    assert "Traceback" not in done.err
    assert run("users", "list", "--json").json == {"users": []}


def test_a_missing_file_and_a_folder_are_refused(run: Run, tmp_path: Path) -> None:
    """What cannot be opened is named."""
    for path in (tmp_path / "none.json", tmp_path):
        done = run("import", str(path))
        assert (done.code, done.out) == (2, "")
        assert str(path) in done.err


@pytest.mark.parametrize("command", [["recall", "x"], ["memories", "list"], ["export"]])
@pytest.mark.parametrize("name", ["Nobody", "../x", "", "a/b", "..", "x" * 10_000, "a\x00b"])
def test_unknown_and_refused_names_exit_2(
    run: Run, bank: Path, command: list[str], name: str
) -> None:
    """Whichever command: one sentence on standard error, nothing on standard output."""
    run("import", str(bank))
    done = run(*command, "--user", name)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.strip().splitlines()) == 1


def test_a_home_that_cannot_be_made_exits_3(run: Run, bank: Path, tmp_path: Path) -> None:
    """An import into a place that cannot be written changes nothing and says where."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run("--home", str(tmp_path / "file" / "x"), "import", str(bank))
    assert (done.code, done.out) == (3, "")


@pytest.mark.parametrize("name", ["bank.md", "BANK.Markdown"])
def test_json_is_not_written_under_the_name_of_markdown(
    run: Run, bank: Path, tmp_path: Path, name: str
) -> None:
    """It is refused in a sentence, and no file is made."""
    run("import", str(bank))
    done = run("export", "--user", "Ada", "--out", str(tmp_path / name))
    assert (done.code, done.out) == (2, "")
    assert "is named like Markdown" in done.err
    assert not (tmp_path / name).exists()

"""`users list|show|delete|password|encrypt`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.installation.installation import installation_in
from siliconfriend.installation.tables import FILE_NAME
from siliconfriend.memory.encryption import KEYRING
from siliconfriend.person.bank import MemoryBank
from tests.cli.conftest import Run
from tests.cli.pseudo_terminal import terminal


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
    described: dict[str, Any] = {"user": "Ada", "name": "Ada", "companion": "default"}
    described |= {"language": "en", "timezone": "UTC"}
    described |= {"days": 2, "turns": 3, "summaries": 0}
    described |= {"first": "2026-03-02", "last": "2026-03-10"}
    assert run("users", "list", "--json").json == {"users": [described]}
    assert run("users", "show", " Ada ", "--json").json == described | {
        "overall_history": "",
        "overall_personality": "",
    }


def test_people_are_listed_page_by_page(run: Run, home: Path) -> None:
    """A page begins after the last name of the page before."""
    with MemoryBank(home) as remembered:
        for name in ("Ada", "Ben", "Cai"):
            remembered.person(name).add("Hello.")
    first = run("users", "list", "--limit", "2", "--json").json["users"]
    assert [person["user"] for person in first] == ["Ada", "Ben"]
    assert run("users", "list", "--after", "Ben").out.startswith("Cai (")


def test_delete_erases_every_file_and_proves_it(run: Run, bank: Path, home: Path) -> None:
    """No file of the data directory names the person; from a script --yes is needed."""
    run("import", str(bank))
    run("nightly")
    unasked = run("users", "delete", "Ada")
    assert (unasked.code, unasked.out) == (2, "")
    assert unasked.err.startswith("Nothing was erased: this cannot be undone")
    done = run("users", "delete", "Ada", "--yes", "--json")
    assert done.code == 0
    assert done.json["deleted"] == [{"user": "Ada", "companion": "default"}]
    assert (done.json["left"], done.json["searched"] > 0) == (0, True)
    assert all(b"Ada" not in path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert run("users", "show", "Ada").code == 2


def test_delete_ends_the_keys_of_a_person_without_a_memory(run: Run, home: Path) -> None:
    """From a script it needs --yes as well; then there is nobody to delete."""
    run("users", "key", "Ada")
    assert run("users", "delete", "Ada").err.startswith("Nothing was erased: this cannot be undone")
    assert run("users", "delete", "Ada", "--yes", "--json").json["deleted"] == []
    assert run("users", "delete", "Ada", "--yes").code == 2


def test_one_memory_that_cannot_be_opened_hides_nobody_else(
    run: Run, bank: Path, home: Path
) -> None:
    """`users list` and `export` name it and exit with 4; the night exits with 6."""
    run("import", str(bank))
    run("import", str(bank), "--companion", "Robin")
    damaged = next(home.glob("people/*/companions/*/memory.sqlite"))
    damaged.write_bytes(b"torn" * 2000)
    done = run("users", "list", "--json")
    assert (done.code, [one["companion"] for one in done.json["users"]]) == (4, ["default"])
    assert "Ada" in done.err
    night = run("nightly", "--json")
    statuses = {one["companion"]: one["status"] for one in night.json["users"]}
    assert (night.code, statuses) == (6, {"default": "ok", "Robin": "failed"})


@pytest.mark.slow
def test_a_piped_password_lets_the_person_in(run: Run, home: Path) -> None:
    """The file lies in the data directory for its owner alone, and what is told names it."""
    done = run("users", "password", " Ada ", said="correct horse\nnever read\n")
    path = home / FILE_NAME
    assert (done.code, done.out) == (0, "")
    assert done.err == f"Ada can log in now (`siliconfriend web --auth {path}`).\n"
    assert path.stat().st_mode & 0o777 == 0o600
    guard = installation_in(path.parent, path.name).passwords
    assert guard.authenticate("Ada", "correct horse")
    assert not guard.authenticate("Ada", "correct horse\n")
    assert run("users", "password", "Ada", "--remove").code == 0
    assert installation_in(path.parent, path.name).passwords.hash_of("Ada") is None
    assert run("users", "password", "Ada", "--remove").code == 2


@pytest.mark.slow
def test_a_password_that_is_typed_in_two_ways_is_asked_for_again(home: Path) -> None:
    """At a terminal, until both are the same; none of them is shown."""
    everything, questions = "", ("的密码：", "再输一遍：")
    with terminal("users", "password", "Ada", SILICONFRIEND_LANGUAGE="cn") as shown:
        for question, typed in zip(
            questions * 2, ("one", "two", "lilac moss", "lilac moss"), strict=True
        ):
            shown.wait_for(question)
            everything += shown.seen()
            shown.type(f"{typed}\n")
        assert shown.wait_for_end() == 0
    assert "两次输入的不一样" in everything
    assert "lilac" not in everything + shown.shown
    assert installation_in(home).passwords.authenticate("Ada", "lilac moss")


@pytest.fixture
def keyring() -> Iterator[None]:
    """A keyring that holds no key."""
    KEYRING.lock()
    yield
    KEYRING.lock()


@pytest.mark.usefixtures("keyring")
def test_a_person_s_files_are_encrypted(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Encrypted, read with the passphrase, refused without it, and plain again."""
    at = ("--home", str(home))
    assert run(*at, "chat", "--user", "Ada", said="My dog is Rex.\n").code == 0
    made = run(*at, "users", "encrypt", "Ada", said="correct horse\n")
    assert (made.code, "are encrypted" in made.out + made.err) == (0, True)
    KEYRING.lock()
    refused = run(*at, "users", "show", "Ada")
    assert refused.code == 4
    assert "no passphrase that was given" in refused.err
    run(*at, "chat", "--user", "Bo", said="My boat is red.\n")
    part = run(*at, "export")
    assert (part.code, [*part.json], "Ada is not exported." in part.err) == (4, ["Bo"], True)
    monkeypatch.setenv("SILICONFRIEND_PASSPHRASE", "correct horse")
    assert "Rex" in run(*at, "memories", "list", "--user", "Ada").out
    assert run(*at, "users", "encrypt", "Ada", "--remove").code == 0
    KEYRING.lock()
    monkeypatch.delenv("SILICONFRIEND_PASSPHRASE")
    assert run(*at, "users", "show", "Ada").code == 0
    assert run(*at, "config", "set", "passphrase", "x").code == 2

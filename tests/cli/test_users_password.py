"""`users password`: typed twice or piped, kept as a hash, and taken away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from siliconfriend.passwords import Authenticator, PasswordFile, read_hashes
from tests.cli.conftest import ROOT, Run

pytestmark = pytest.mark.slow


def test_a_piped_password_lets_the_person_in(run: Run, home: Path) -> None:
    """The file lies in the data directory for its owner alone, and what is told names it."""
    done = run("users", "password", " Ada ", said="correct horse\nnever read\n")
    path = home / "passwords.json"
    assert (done.code, done.out) == (0, "")
    assert done.err == f"Ada can log in now (`siliconfriend web --auth {path}`).\n"
    assert path.stat().st_mode & 0o777 == 0o600
    guard = Authenticator(PasswordFile(path))
    assert guard.authenticate("Ada", "correct horse")
    assert not guard.authenticate("Ada", "correct horse\n")


def test_another_file_may_be_named(run: Run, home: Path, tmp_path: Path) -> None:
    """With --file nothing is written into the data directory."""
    path = tmp_path / "door.json"
    assert run("users", "password", "小安", "--file", str(path), said="渡船倒扣在老码头").code == 0
    assert list(read_hashes(path)) == ["小安"]
    assert not (home / "passwords.json").exists()


def test_a_short_password_exits_2_and_writes_nothing(run: Run, home: Path) -> None:
    """An empty pipe is a password too short as well."""
    for said in ("seven77\n", ""):
        done = run("users", "password", "Ada", said=said)
        assert (done.code, done.out) == (2, "")
        assert done.err == (
            "A password needs at least 8 characters. Nothing was written; choose a longer one.\n"
        )
    assert not (home / "passwords.json").exists()


def test_remove_takes_it_away_and_says_so(run: Run, home: Path) -> None:
    """A second time there is nothing to take away, which is told with exit code 2."""
    run("users", "password", "Ada", said="correct horse")
    done = run("users", "password", "Ada", "--remove")
    path = home / "passwords.json"
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("Ada cannot log in any more; their memories are as they were.")
    assert read_hashes(path) == {}
    done = run("users", "password", "Ada", "--remove")
    assert done.code == 2
    assert done.err == (
        f"Ada has no password in {path}, so there is nothing to take away. "
        "Check the name and --file.\n"
    )


def test_removing_makes_no_home(run: Run, home: Path) -> None:
    """Where nothing is, nothing is made."""
    assert run("users", "password", "Ada", "--remove").code == 2
    assert not home.exists()


def test_bad_names_and_files_have_their_exit_codes(run: Run, tmp_path: Path) -> None:
    """A refused name exits with 2; a file that is another's, or a folder missing, with 3."""
    assert run("users", "password", "a/b", said="correct horse").code == 2
    other = tmp_path / "notes.json"
    other.write_text("{}", encoding="utf-8")
    done = run("users", "password", "Ada", "--file", str(other), said="correct horse")
    assert (done.code, other.read_text(encoding="utf-8")) == (3, "{}")
    assert str(other) in done.err
    missing = tmp_path / "no" / "such.json"
    done = run("users", "password", "Ada", "--file", str(missing), said="correct horse")
    assert done.code == 3
    assert str(missing) in done.err


def test_deleting_a_person_takes_their_password_too(run: Run, bank: Path, home: Path) -> None:
    """Nobody is left who could log in to nothing."""
    run("import", str(bank))
    run("users", "password", "Ada", said="correct horse")
    run("users", "password", "Ben", said="correct horse")
    assert run("users", "delete", "Ada", "--yes").code == 0
    assert list(read_hashes(home / "passwords.json")) == ["Ben"]


def typed(home: Path, *lines: str, language: str = "en") -> tuple[int, str]:
    """Type lines at a terminal; the exit code, and all that could be seen there."""
    master, slave = os.openpty()
    own = os.environ | {"SILICONFRIEND_HOME": str(home), "SILICONFRIEND_LANGUAGE": language}
    with subprocess.Popen(
        [sys.executable, "-m", "siliconfriend", "users", "password", "Ada"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=ROOT,
        env=own,
        start_new_session=True,
    ) as process:
        os.close(slave)
        seen = b""
        for line in lines:
            # Only once it asks is the echo off.
            while not seen.endswith((b": ", "：".encode())):
                seen += os.read(master, 1024)
            os.write(master, f"{line}\n".encode())
            seen += b"\n"
        try:
            while piece := os.read(master, 1024):
                seen += piece
        except OSError:  # how Linux says that nobody is at the other end any more
            pass
        code = process.wait()
    os.close(master)
    return code, seen.decode()


def test_at_a_terminal_it_is_asked_for_twice_and_never_shown(home: Path) -> None:
    """What is typed does not appear."""
    code, seen = typed(home, "correct horse", "correct horse")
    assert code == 0
    assert "Password for Ada: " in seen
    assert "Once more: " in seen
    assert "horse" not in seen
    assert Authenticator(PasswordFile(home / "passwords.json")).authenticate("Ada", "correct horse")


def test_two_that_differ_write_nothing(home: Path) -> None:
    """A slip of the fingers shuts nobody out, and is told in the person's language."""
    code, seen = typed(home, "correct horse", "correct house", language="cn")
    assert code == 2
    assert "两次输入的密码不一样。什么也没有写入，请再试一次。" in seen
    assert not (home / "passwords.json").exists()

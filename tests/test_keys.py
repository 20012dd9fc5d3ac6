"""Keys: made once, kept as hashes, and whose they are."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from siliconfriend.errors import ConfigurationError, RefusedName
from siliconfriend.keys import Caller, KeyFile, hash_key


def test_a_key_is_its_person_s_and_nobody_else_s(tmp_path: Path) -> None:
    """Each key names its person; a wrong one names nobody."""
    keys = KeyFile(tmp_path)
    ada, bo = keys.make_for("Ada"), keys.make_for(" 小博 ")
    assert keys.identify(ada) == Caller("Ada")
    assert keys.identify(bo) == Caller("小博")
    assert keys.identify(ada + "x") is None
    assert keys.identify("") is None
    assert not Caller("Ada").is_operator


def test_only_hashes_are_kept_and_only_the_owner_reads_them(tmp_path: Path) -> None:
    """The file holds no key, and no other account of the machine can read it."""
    keys = KeyFile(tmp_path)
    key, operator = keys.make_for("Ada"), keys.ensure_operator()
    assert operator is not None
    written = keys.path.read_text(encoding="utf-8")
    assert key not in written
    assert operator not in written
    assert json.loads(written)["people"] == {"Ada": hash_key(key)}
    assert stat.S_IMODE(keys.path.stat().st_mode) == 0o600


def test_a_new_key_ends_the_one_before(tmp_path: Path) -> None:
    """A person has one key; another program's object sees the change at once."""
    keys, elsewhere = KeyFile(tmp_path), KeyFile(tmp_path)
    first = keys.make_for("Ada")
    assert elsewhere.identify(first) == Caller("Ada")
    second = keys.make_for("Ada")
    assert elsewhere.identify(first) is None
    assert elsewhere.identify(second) == Caller("Ada")
    assert keys.remove("Ada")
    assert elsewhere.identify(second) is None
    assert not keys.remove("Ada")


def test_the_operator_s_key_is_made_once(tmp_path: Path) -> None:
    """The first start makes it, later ones do not; a person's keys stay."""
    keys = KeyFile(tmp_path)
    ada = keys.make_for("Ada")
    operator = keys.ensure_operator()
    assert operator is not None
    assert KeyFile(tmp_path).ensure_operator() is None
    assert KeyFile(tmp_path).identify(operator) == Caller()
    assert keys.identify(ada) == Caller("Ada")


def test_a_given_operator_s_key_is_never_written(tmp_path: Path) -> None:
    """One from the settings holds without a file."""
    keys = KeyFile(tmp_path, "of one's own")
    assert keys.ensure_operator() is None
    assert keys.identify("of one's own") == Caller()
    assert not keys.path.exists()


@pytest.mark.parametrize(
    "written", ["", "[]", '{"format": "other", "people": {}}', '{"format": "siliconfriend-keys"}']
)
def test_a_damaged_file_lets_nobody_in(tmp_path: Path, written: str) -> None:
    """What is no file of keys is an error and never an empty one, which would be written over."""
    keys = KeyFile(tmp_path)
    keys.path.write_text(written, encoding="utf-8")
    with pytest.raises(ConfigurationError):
        keys.identify("any")
    with pytest.raises(ConfigurationError):
        keys.make_for("Ada")
    assert keys.path.read_text(encoding="utf-8") == written


def test_a_name_that_cannot_be_one_gets_no_key(tmp_path: Path) -> None:
    """The same names are refused as everywhere."""
    with pytest.raises(RefusedName):
        KeyFile(tmp_path).make_for("../x")

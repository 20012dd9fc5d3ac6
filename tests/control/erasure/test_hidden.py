"""Where words hide from a search that knows whole archives and UTF-8 alone."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from siliconfriend.control.erasure import layers
from siliconfriend.control.erasure.delete_person import delete_person
from siliconfriend.control.erasure.verification import ErasedWords
from siliconfriend.memory.backup import back_up
from tests.control.erasure.stops import MADE, SECRET
from tests.control.world import NORA, World

NOTES = f"So it was.\n{SECRET}\nAnd more.\n".encode()


def _zipped(data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.txt", data)
    return packed.getvalue()


def _tarred(data: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        entry = tarfile.TarInfo("inner")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


HIDDEN: dict[str, Callable[[], bytes]] = {
    "gz": lambda: gzip.compress(NOTES),
    "bz2": lambda: bz2.compress(NOTES),
    "xz": lambda: lzma.compress(NOTES),
    "two members": lambda: gzip.compress(b"first") + gzip.compress(NOTES),
    "half a gz": lambda: gzip.compress(NOTES * 9, compresslevel=0)[:200],
    "utf-16": lambda: NOTES.decode().encode("utf-16"),
    "utf-16-be": lambda: NOTES.decode().encode("utf-16-be"),
    "utf-16 in a gz": lambda: gzip.compress(NOTES.decode().encode("utf-16")),
    "zip in a tar": lambda: _tarred(_zipped(NOTES)),
    "bz2 in a zip": lambda: _zipped(bz2.compress(NOTES)),
}


@pytest.mark.parametrize("form", HIDDEN)
@pytest.mark.parametrize("what", ["erase", "delete"])
def test_it_is_found(files: World, form: str, what: str) -> None:
    """Whatever the file is called, it is named instead of "0 left"."""
    said = files.say(SECRET)
    (files.home / "notes").write_bytes(HIDDEN[form]())
    if what == "erase":
        assert files.erase(said).places == ("notes",)
    else:
        rewrite = files.recaller.rewrite_index
        proof = delete_person(files.store, [NORA], home=files.home, rewrite_index=rewrite)
        assert proof.found_in == ("notes",)


@pytest.mark.parametrize("name", [".siliconfriend-ab12cd34/notes", "kept/.siliconfriend-x/notes"])
def test_a_half_written_backup_in_a_passing_folder_is_found(files: World, name: str) -> None:
    """One that has no owner to sweep it away is searched like any other folder."""
    said = files.say(SECRET)
    back_up(files.home, files.home.parent / "whole.tar.gz", now=MADE)
    whole = (files.home.parent / "whole.tar.gz").read_bytes()
    path = files.home / name
    path.parent.mkdir(parents=True)
    path.write_bytes(whole[:-20])
    assert files.erase(said).places == (name,)


def test_a_file_that_cannot_be_unpacked_whole_is_named(
    files: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can say that it is not in it."""
    said = files.say(SECRET)
    monkeypatch.setattr(layers, "LARGEST", 1000)
    (files.home / "zeros.gz").write_bytes(gzip.compress(bytes(2000)))
    assert files.erase(said).places == ("zeros.gz",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("said", ["我在后院种了豆子。", 'I planted "beans".', "Crème brûlée, 豆子"])
def test_words_are_found_in_every_encoding(said: str, encoding: str) -> None:
    """Those of Latin script by their letters alone, others by each form."""
    gone = ErasedWords([said], [])
    for form in (said, json.dumps(said), json.dumps(said, ensure_ascii=False)):
        assert gone.stand_in(b"\x00\x01" + f"- {form} -".encode(encoding))
    assert not gone.stand_in("- I planted peas. 我在后院种了花。".encode(encoding))


def test_a_companions_own_story_is_no_trace_of_what_was_erased(files: World) -> None:
    """The index keeps "What is my cat called?" as "cat call", and a story may speak of a cat too."""
    said = files.say("What is my cat called?")
    story = files.home / "companions" / "robin" / "lore.json"
    story.parent.mkdir(parents=True)
    story.write_text("There was a cat called Soot.", encoding="utf-8")
    assert files.erase(said).places == ()


def test_a_sentence_that_a_companions_story_repeats_is_named(files: World) -> None:
    """As it was said it is a trace, wherever it stands."""
    said = files.say(SECRET)
    story = files.home / "companions" / "robin" / "lore.json"
    story.parent.mkdir(parents=True)
    story.write_text(json.dumps(SECRET), encoding="utf-8")
    assert files.erase(said).places == ("companions/robin/lore.json",)

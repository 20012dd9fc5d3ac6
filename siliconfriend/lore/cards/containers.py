"""Read and write the files that hold a card: JSON, a PNG with the card in a text chunk, a charx archive.

Sizes are looked at before anything is unpacked, so that neither a picture nor an archive of a
few kilobytes can fill the memory of the machine.
"""

from __future__ import annotations

import base64
import binascii
import lzma
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siliconfriend.errors import UnreadableFile
from siliconfriend.lore.cards import png
from siliconfriend.memory.import_checks import check_values, parse_json

LARGEST_FILE = 1 << 28
LARGEST_JSON = 1 << 25
LARGEST_PICTURE = 1 << 24
"""Bytes, unpacked."""

CARD = "card.json"
"""The card in a charx archive."""
CHUNKS = ("ccv3", "chara")
"""The texts of a PNG that hold a card, the newer one first."""

_BROKEN = (
    *(RuntimeError, EOFError, NotImplementedError, ValueError, struct.error),
    *(zlib.error, lzma.LZMAError),
)
"""Errors that reading a broken archive may raise, beside errors of the system."""

PICTURE_KINDS = ("png", "jpg", "webp")
_PICTURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpg", b"RIFF": "webp"}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a companion.

    Attributes:
        data: the file.
        kind: ``png``, ``jpg`` or ``webp``.
    """

    data: bytes
    kind: str


@dataclass(frozen=True, slots=True)
class Contents:
    """The card and picture in a file.

    Attributes:
        document: its JSON.
        picture: of the companion, where there is one that can be kept.
        lost_picture: there is one that is too large to be kept.
    """

    document: Any
    picture: Picture | None = None
    lost_picture: bool = False


def read_contents(path: Path) -> Contents:
    """Read a file, whichever of the three it is.

    Raises:
        UnreadableFile: it cannot be opened, is too large, or holds no card and no JSON.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise UnreadableFile("card_too_large", largest=LARGEST_FILE >> 20)
        with path.open("rb") as file:
            head = file.read(len(png.SIGNATURE))
        if head == png.SIGNATURE:
            return _of_png(path.read_bytes())
        if head.startswith((b"PK", *_PICTURES)):
            # An archive may stand behind a picture that shows it.
            return _of_charx(path)
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error
    return Contents(parse(data))


def read_picture(folder: Path) -> Picture | None:
    """The picture in a companion's folder; None where none can be shown.

    Raises:
        UnreadableFile: it cannot be opened.
    """
    for kind in PICTURE_KINDS:
        path = folder / f"picture.{kind}"
        try:
            if path.exists() and path.stat().st_size <= LARGEST_PICTURE:
                return _picture(path.read_bytes())
        except OSError as error:
            raise UnreadableFile("file_missing", path=path, cause=error) from error
    return None


def parse(data: bytes) -> Any:
    """Parse JSON whose values can be kept.

    Raises:
        UnreadableFile: it is none, too large, or too deep.
    """
    if len(data) > LARGEST_JSON:
        raise UnreadableFile("card_too_large", largest=LARGEST_JSON >> 20)
    try:
        document = parse_json(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableFile("import_no_json", cause=error) from error
    check_values(document)
    return document


def _of_png(data: bytes) -> Contents:
    chunks = png.read_chunks(data)
    texts = png.texts_of(chunks)
    card = next((texts[name] for name in CHUNKS if name in texts), None)
    if card is None:
        raise UnreadableFile("card_missing")
    try:
        document = parse(base64.b64decode(b"".join(card.split()), validate=True))
    except binascii.Error:
        document = parse(card)  # some makers write the JSON as it is
    picture = png.picture_of(chunks)
    if picture is None or len(picture) > LARGEST_PICTURE:
        return Contents(document, lost_picture=True)
    return Contents(document, Picture(picture, "png"))


def _of_charx(path: Path) -> Contents:
    try:
        with zipfile.ZipFile(path) as archive:
            document = parse(_member(archive, CARD, LARGEST_JSON) or b"")
            icon = _icon(document)
            data = _member(archive, icon, LARGEST_PICTURE) if icon else None
    except zipfile.BadZipFile as error:
        raise UnreadableFile("card_missing") from error
    except _BROKEN as error:
        raise UnreadableFile("card_broken_archive", cause=error) from error
    picture = None if data is None else _picture(data)
    return Contents(document, picture, lost_picture=bool(icon) and picture is None)


def _member(archive: zipfile.ZipFile, name: str, largest: int) -> bytes | None:
    """A file of the archive; None where there is none of a size that can be taken."""
    try:
        size = archive.getinfo(name).file_size
    except KeyError:
        if name == CARD:
            raise UnreadableFile("card_missing") from None
        return None
    if size > largest:
        if name == CARD:
            raise UnreadableFile("card_too_large", largest=largest >> 20)
        return None
    # The size in the list may be a lie: no more than it says is ever unpacked.
    with archive.open(name) as file:
        return file.read(size)


def _icon(document: Any) -> str:
    """The path of the main picture in the archive; empty where the card names none."""
    data = document.get("data") if isinstance(document, dict) else None
    assets = data.get("assets") if isinstance(data, dict) else None
    icons = [
        it
        for it in (assets if isinstance(assets, list) else [])
        if isinstance(it, dict) and it.get("type") == "icon" and isinstance(it.get("uri"), str)
    ]
    icons.sort(key=lambda it: it.get("name") != "main")
    for it in icons:
        scheme, _, name = it["uri"].partition("://")
        if scheme in ("embeded", "embedded") and name:
            return str(name)
    return ""


def _picture(data: bytes) -> Picture | None:
    kind = next((kind for start, kind in _PICTURES.items() if data.startswith(start)), None)
    if kind is None or (kind == "webp" and data[8:12] != b"WEBP"):
        return None
    if kind != "png":
        return Picture(data, kind)
    try:
        bare = png.picture_of(png.read_chunks(data))
    except UnreadableFile:
        return None
    return None if bare is None else Picture(bare, kind)

"""Read and write card files: JSON, a PNG with the card in its text, a charx archive.

Sizes are checked before unpacking, so that a small file cannot fill the memory. Pictures are stored
as PNG without metadata; uploaded ones are scaled down.
"""

from __future__ import annotations

import base64
import binascii
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siliconfriend.errors import UnreadableFile
from siliconfriend.memory.import_export import DECODER, check_values

if TYPE_CHECKING:
    from PIL import Image

LARGEST_FILE = 1 << 28
LARGEST_JSON = 1 << 25
LARGEST_PICTURE = 1 << 24
"""Most bytes of a file, and of the unpacked JSON and picture in it."""
LARGEST_UPLOAD = 8 << 20
"""Most bytes of an uploaded picture; a photo of a phone has about four million."""
MOST_PIXELS = 50_000_000
LONGEST_SIDE = 640
"""Most pixels of a picture, and the longest side of a redrawn one."""
CARD = "card.json"
"""The card in a charx archive."""
CHUNKS = ("ccv3", "chara")
"""The texts of a PNG that contain a card, the newer version first."""
FORMATS = ("PNG", "JPEG", "WEBP")
_PNG = b"\x89PNG\r\n\x1a\n"
_BROKEN = (
    *(RuntimeError, EOFError, NotImplementedError, ValueError, struct.error),
    *(zlib.error, lzma.LZMAError, OSError, SyntaxError, TypeError),
)
"""Errors that reading a broken archive or picture may raise."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The JSON of a card, and its picture as a PNG.

    ``lost_picture`` is True if the file has a picture that cannot be used.
    """

    document: Any
    picture: bytes | None = None
    lost_picture: bool = False


def read_contents(path: Path) -> Contents:
    """Read a card file; UnreadableFile if it is too large, or has no card and is not JSON."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise UnreadableFile("card_too_large", largest=LARGEST_FILE >> 20)
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error
    if data.startswith(_PNG):
        return _read_png(data)
    if data.startswith((b"\xff\xd8\xff", b"RIFF")) and (card := _exif_card(data)) is not None:
        picture = bare_picture(data)
        return Contents(card, picture, lost_picture=picture is None)
    if data.startswith((b"PK", b"\xff\xd8\xff", b"RIFF")):
        # An archive may follow a picture.
        return _read_charx(path)
    return Contents(parse(data))


def parse(data: bytes) -> Any:
    """Parse JSON with storable values; UnreadableFile if it is invalid, too large or too deep."""
    if len(data) > LARGEST_JSON:
        raise UnreadableFile("card_too_large", largest=LARGEST_JSON >> 20)
    try:
        document = DECODER.decode(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableFile("import_no_json", cause=error) from error
    check_values(document)
    return document


def is_kept_card(form: object) -> bool:
    """Return True if the JSON has the form of a stored card."""
    return isinstance(form, dict) and isinstance(form.get("data"), dict)


def add_texts(picture: bytes, texts: Mapping[str, str]) -> bytes:
    """Write ASCII texts into a PNG; UnreadableFile if the picture is not a PNG."""
    from PIL.PngImagePlugin import PngInfo

    added = PngInfo()
    for name, words in texts.items():
        added.add_text(name, words)
    with _opened(picture, ("PNG",)) as opened:
        return _written(opened, pnginfo=added)


def redraw_picture(data: bytes) -> bytes:
    """Redraw a picture as a PNG of at most 640 pixels a side, without metadata.

    Raises:
        UnreadableFile: it is not a PNG, JPEG or WebP, is incomplete, or is too large.
    """
    if len(data) > LARGEST_UPLOAD:
        raise UnreadableFile("picture_too_large", largest=LARGEST_UPLOAD >> 20)
    from PIL import Image, ImageOps

    with _opened(data, FORMATS) as opened:
        size = (LONGEST_SIDE, LONGEST_SIDE)
        opened.draft("RGB", size)  # of a JPEG, no more is unpacked than is kept
        upright = ImageOps.exif_transpose(opened)
        drawn = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
        drawn.thumbnail(size, Image.Resampling.LANCZOS)
        return _written(drawn)


@contextmanager
def _opened(data: bytes, formats: tuple[str, ...]) -> Iterator[Image.Image]:
    """Open a picture; UnreadableFile if it is broken or has too many pixels."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(data), formats=formats) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise UnreadableFile("picture_many_pixels", most=MOST_PIXELS // 1_000_000)
            yield opened
    except UnidentifiedImageError as error:
        raise UnreadableFile("picture_unknown") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise UnreadableFile("picture_many_pixels", most=MOST_PIXELS // 1_000_000) from error
    except _BROKEN as error:
        raise UnreadableFile("picture_broken") from error


def _written(picture: Image.Image, **options: Any) -> bytes:
    picture.info = {}
    written = BytesIO()
    picture.save(written, "PNG", **options)
    return written.getvalue()


def _read_png(data: bytes) -> Contents:
    """Read the card in the texts of a PNG, without a check of checksums."""
    texts = dict(_png_texts(data))
    card = next((texts[name] for name in CHUNKS if name in texts), None)
    if card is None:
        raise UnreadableFile("card_missing")
    picture = bare_picture(data)
    return Contents(_decoded(card), picture, lost_picture=picture is None)


def _png_texts(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name and text of the chunks tEXt, zTXt and iTXt; skip those that cannot be unpacked."""
    at = len(_PNG)
    while at + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        chunk = data[at + 8 : at + 8 + length]
        at += 12 + length
        name, _, rest = chunk.partition(b"\0")
        with suppress(zlib.error):
            if kind == b"tEXt":
                yield name.decode("latin-1").lower(), rest
            elif kind == b"zTXt":
                yield name.decode("latin-1").lower(), _inflated(rest[1:])
            elif kind == b"iTXt" and len(rest) > 2:
                words = rest[2:].split(b"\0", 2)[-1]
                yield name.decode("latin-1").lower(), _inflated(words) if rest[0] else words


def _inflated(packed: bytes) -> bytes:
    """Unpack a text; UnreadableFile if it is larger than a card may be."""
    unpacker = zlib.decompressobj()
    words = unpacker.decompress(packed, LARGEST_JSON + 1)
    if len(words) > LARGEST_JSON:
        raise UnreadableFile("card_too_large", largest=LARGEST_JSON >> 20)
    return words


def _decoded(card: bytes) -> Any:
    """Parse a card in base64 of either alphabet, with or without padding, or in plain JSON."""
    packed = b"".join(card.split()).translate(bytes.maketrans(b"-_", b"+/")).rstrip(b"=")
    try:
        words = base64.b64decode(packed + b"=" * (-len(packed) % 4), validate=True)
    except (binascii.Error, ValueError):
        words = card
    return parse(words)


def _exif_card(data: bytes) -> Any:
    """Return the card in a picture's EXIF comment, or None."""
    with suppress(UnreadableFile, *_BROKEN), _opened(data, FORMATS) as opened:
        comment = opened.getexif().get_ifd(0x8769).get(0x9286, b"")
        words = comment.encode() if isinstance(comment, str) else bytes(comment)
        for mark in (b"ASCII\0\0\0", b"UNICODE\0"):
            words = words.removeprefix(mark)
        if words.strip(b"\0 "):
            return _decoded(words.strip(b"\0 "))
    return None


def _read_charx(path: Path) -> Contents:
    data = b""
    try:
        with zipfile.ZipFile(path) as archive:
            # The sizes in the directory may be false, so no more than the limit is unpacked.
            with archive.open(CARD) as file:
                document = parse(file.read(LARGEST_JSON + 1))
            icon = _icon(document)
            if icon in archive.namelist():
                with archive.open(icon) as file:
                    data = file.read(LARGEST_PICTURE + 1)
    except (zipfile.BadZipFile, KeyError) as error:
        raise UnreadableFile("card_missing") from error
    except _BROKEN as error:
        raise UnreadableFile("card_broken_archive", cause=error) from error
    picture = bare_picture(data)
    return Contents(document, picture, lost_picture=bool(icon) and picture is None)


def _icon(document: Any) -> str:
    """Return the path of the main picture in the archive; empty if the card names none."""
    with suppress(AttributeError, KeyError, TypeError):
        several = [asset for asset in document["data"]["assets"] if isinstance(asset, dict)]
        icons = [asset for asset in several if asset.get("type") == "icon"]
        for asset in sorted(icons, key=lambda asset: asset.get("name") != "main"):
            scheme, _, name = str(asset.get("uri")).partition("://")
            if scheme in ("embeded", "embedded") and name:
                return name
    return ""


def bare_picture(data: bytes) -> bytes | None:
    """Return a picture as a PNG without metadata; None if it is too large or broken."""
    if len(data) > LARGEST_PICTURE:
        return None
    try:
        with _opened(data, FORMATS) as opened:
            return _written(opened)
    except UnreadableFile:
        return None

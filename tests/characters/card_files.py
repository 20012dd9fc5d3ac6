"""Cards and lorebooks in the formats of other programs; their data is in ``tests/data/cards.json``."""

import base64
import io
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DATA: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "cards.json").read_text(encoding="utf-8")
)
V1, BOOK = DATA["V1"], DATA["BOOK"]
V2: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {**V1, **DATA["V2_MORE"], "character_book": BOOK},
}
SILLYTAVERN: dict[str, Any] = {**V1, "avatar": "none", "talkativeness": "0.5", "fav": False, **V2}
"""SillyTavern repeats V1 beside the data, for programs that know V1 alone."""
V3: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {**V2["data"], **DATA["V3_MORE"]},
}


def as_json(folder: Path, document: object, name: str = "card.json") -> Path:
    """A JSON file, with a byte order mark as some programs write it."""
    path = folder / name
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(document, ensure_ascii=False).encode())
    return path


def chunk(sort: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + sort + data + struct.pack(">I", zlib.crc32(sort + data))


def png(*chunks: bytes, width: int = 2, height: int = 2) -> bytes:
    """A grey picture, with these chunks before its pixels."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    rows = zlib.compress((b"\0" + b"\x80" * min(width, 9)) * min(height, 9))
    return SIGNATURE + head + b"".join(chunks) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def in_base64(document: object) -> bytes:
    """The JSON as a card's chunk holds it."""
    return base64.b64encode(json.dumps(document, ensure_ascii=False).encode())


def text_chunk(name: bytes, document: object) -> bytes:
    """``tEXt``."""
    return chunk(b"tEXt", name + b"\0" + in_base64(document))


def faulty_chunk(name: bytes, document: object) -> bytes:
    """``tEXt`` with a wrong checksum, in base64 of the other alphabet without padding."""
    packed = in_base64(document).translate(bytes.maketrans(b"+/", b"-_")).rstrip(b"=")
    return chunk(b"tEXt", name + b"\0" + packed)[:-4] + b"\0\0\0\0"


def packed_chunk(name: bytes, words: bytes) -> bytes:
    """``iTXt``, compressed."""
    return chunk(b"iTXt", name + b"\0\1\0\0\0" + zlib.compress(words))


def charx(document: object, **files: bytes) -> bytes:
    """An archive with the card, and with files whose names have ``__`` for ``/`` and ``_`` for ``.``."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("card.json", json.dumps(document, ensure_ascii=False))
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), data)
    return written.getvalue()

"""Find out in which encoding a text is: old exports are in GB18030, Big5, Windows code pages."""

from __future__ import annotations

import codecs
from typing import IO

SAMPLE = 1 << 18
"""Bytes that the detection reads where the text is not UTF-8."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "hz": "gb18030"}
"""Where the detection names a part of an encoding, the whole of it reads more files."""


def find_encoding(file: IO[bytes]) -> str:
    """The encoding of a text, by its mark, by being UTF-8 throughout, or by what it looks like."""
    start = file.read(4)
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding
    decoder = codecs.getincrementaldecoder("utf-8")()
    sample, piece = b"", start
    try:
        while piece:
            decoder.decode(piece)
            if len(sample) < SAMPLE:
                sample += piece
            piece = file.read(1 << 20)
    except UnicodeDecodeError:
        return _guess(sample + piece + file.read(SAMPLE))
    return "utf-8"


def _guess(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    if b"\0" in sample[:200]:
        return "utf-16-le" if sample[1:2] == b"\0" else "utf-16-be"
    # The text before the first foreign byte tells nothing, so what is around it counts.
    foreign = next((at for at, byte in enumerate(sample) if byte > 127), 0)
    near = sample[max(0, foreign - 1_000) :][:SAMPLE]
    # A character of several bytes may be cut at either end of the sample.
    near = b"\n".join(near.split(b"\n")[1:-1]) or near
    best = from_bytes(near).best()
    encoding = best.encoding if best is not None else "cp1252"
    return _WIDER.get(encoding, encoding)

"""A companion's picture, drawn anew from whatever file somebody chose.

What a page shows to others is never the bytes that were uploaded: these could be a script, unfold
to more than the memory of the machine, or tell where a photo was taken. Size and kind are looked
at before anything is unpacked.
"""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

from siliconfriend.errors import UnreadableFile
from siliconfriend.lore.cards.containers import Picture

if TYPE_CHECKING:
    from PIL import Image

LARGEST_FILE = 8 << 20
"""Bytes of a file that is taken; a telephone's photo has some four million."""
MOST_PIXELS = 50_000_000
LONGEST_SIDE = 640
"""Pixels of what is kept."""
FORMATS = ("PNG", "JPEG", "WEBP")
_BROKEN = (OSError, EOFError, ValueError, SyntaxError, TypeError, struct.error, zlib.error)
"""Errors that reading a broken picture may raise."""


def redraw_picture(data: bytes) -> Picture:
    """A picture as a PNG of at most 640 pixels a side, with nothing in it but what is seen.

    Raises:
        UnreadableFile: no PNG, JPEG or WebP, one that breaks off, or one that is too large.
    """
    if len(data) > LARGEST_FILE:
        raise UnreadableFile("picture_too_large", largest=LARGEST_FILE >> 20)
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(data), formats=FORMATS) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise UnreadableFile("picture_many_pixels", most=MOST_PIXELS // 1_000_000)
            drawn = _drawn(opened)
    except UnidentifiedImageError as error:
        raise UnreadableFile("picture_unknown") from error
    except Image.DecompressionBombError as error:
        raise UnreadableFile("picture_many_pixels", most=MOST_PIXELS // 1_000_000) from error
    except _BROKEN as error:
        raise UnreadableFile("picture_broken") from error
    written = BytesIO()
    drawn.save(written, "PNG", optimize=True)
    return Picture(written.getvalue(), "png")


def _drawn(opened: Image.Image) -> Image.Image:
    """The pixels alone, upright and small."""
    from PIL import Image, ImageOps

    size = (LONGEST_SIDE, LONGEST_SIDE)
    opened.draft("RGB", size)  # of a JPEG, no more is unpacked than is kept
    upright = ImageOps.exif_transpose(opened)
    drawn = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    drawn.thumbnail(size, Image.Resampling.LANCZOS)
    drawn.info = {}
    return drawn

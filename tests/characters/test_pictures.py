"""Pictures that people choose: drawn anew, small, and refused in plain words where they are none."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from siliconfriend.characters.card_files import LARGEST_UPLOAD, redraw_picture
from siliconfriend.characters.character import Character
from siliconfriend.characters.companions import Companions
from siliconfriend.errors import UnreadableFile


def picture(kind: str, size: tuple[int, int] = (4, 2), **how: object) -> bytes:
    """A red picture as a file."""
    written = BytesIO()
    Image.new("RGB", size, (200, 0, 0)).save(written, kind, **how)
    return written.getvalue()


def bomb() -> bytes:
    """A file of eight kilobytes with 64 million pixels."""
    written = BytesIO()
    Image.new("1", (8000, 8000)).save(written, "PNG")
    return written.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_every_kind_becomes_a_png(kind: str) -> None:
    """What is seen stays: the colour, the shape; of a large one the longer side has 640 pixels."""
    with Image.open(BytesIO(redraw_picture(picture(kind, (3200, 1600))))) as opened:
        assert opened.size == (640, 320)
    with Image.open(BytesIO(redraw_picture(picture(kind)))) as opened:
        assert (opened.format, opened.size) == ("PNG", (4, 2))
        red, green, _ = opened.convert("RGB").tobytes()[:3]
    assert red > 180 > 60 > green


def test_nothing_but_what_is_seen_is_kept() -> None:
    """Where a photo was taken and what a file says beside its pixels is gone; it stands upright."""
    exif = Image.Exif()
    exif[0x0112] = 6  # held sideways
    exif[0x010E] = "taken at the old pier"
    drawn = redraw_picture(picture("JPEG", (4, 2), exif=exif, comment=b"<script>"))
    assert b"pier" not in drawn
    assert b"script" not in drawn
    with Image.open(BytesIO(drawn)) as opened:
        assert opened.size == (2, 4)


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "unknown"),
        (b"GIF89a\x01\x00\x01\x00\x00\x00\x00;", "unknown"),
        (b"", "unknown"),
        (picture("PNG", (64, 64))[:80], "broken"),
        (picture("JPEG", (64, 64))[:300], "broken"),
        (bomb(), "many_pixels"),
        (b"\x89PNG\r\n\x1a\n" + bytes(LARGEST_UPLOAD), "too_large"),
    ],
    ids=["svg", "gif", "nothing", "cut png", "cut jpeg", "a bomb", "too many bytes"],
)
def test_what_is_no_picture_is_refused(data: bytes, key: str) -> None:
    """Before it is unpacked where it could fill the memory."""
    with pytest.raises(UnreadableFile) as refused:
        redraw_picture(data)
    assert refused.value.key == f"picture_{key}"


def test_a_picture_takes_the_place_of_the_one_before(companions: Companions, home: Path) -> None:
    companions.create(Character("Robin"))
    for data in (b"one", b"other"):
        companions.replace_picture("Robin", data)
        _, path = companions.card("Robin")
        assert path is not None
        assert path.read_bytes() == data

"""The formats by the names ``import --from`` takes: another one is a file and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from siliconfriend.chat_exports import (
    characterai,
    chatgpt,
    claude,
    plain_text,
    sillytavern,
    telegram,
    wechat,
    whatsapp,
)
from siliconfriend.chat_exports.message import Chat
from siliconfriend.chat_exports.options import Options
from siliconfriend.chat_exports.source import Source


@dataclass(frozen=True, slots=True)
class Format:
    """A format of export files.

    Attributes:
        fits: tells from the beginning of a file whether it is of this format.
        read: yields its chats.
        named: what the service calls the file. Beside one of that name in a zip, others that
            look alike are files somebody sent or uploaded.
    """

    fits: Callable[[str], bool]
    read: Callable[[Source, Options], Iterator[Chat]]
    named: str = ".+"


FORMATS: Mapping[str, Format] = {
    "chatgpt": Format(chatgpt.fits, chatgpt.read, r"conversations(-\d+)?\.json"),
    "claude": Format(claude.fits, claude.read, r"conversations\.json"),
    "sillytavern": Format(sillytavern.fits, sillytavern.read),
    "telegram": Format(telegram.fits, telegram.read, r"result\.json"),
    "characterai": Format(characterai.fits, characterai.read),
    "whatsapp": Format(whatsapp.fits, whatsapp.read, r"_chat\.txt"),
    "wechat-text": Format(wechat.fits, wechat.read),
    "text": Format(plain_text.fits, plain_text.read),
}
"""In the order in which a file is tried where nobody says what it is."""


def recognise(source: Source, wanted: str | None = None) -> str | None:
    """The name of the format of a file, ``wanted`` where it fits; None where it is none of these."""
    head = source.head()
    if wanted is not None and FORMATS[wanted].fits(head):
        return wanted
    return next((name for name, form in FORMATS.items() if form.fits(head)), None)

"""Read the files of an import: recognise each format, and make turns of its chats."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import compress
from pathlib import Path
from zoneinfo import ZoneInfo

from siliconfriend.errors import Undecided, UnreadableFile
from siliconfriend.importers import lines, services, whatsapp
from siliconfriend.importers.files import SourceFile, WrongField, sources_of
from siliconfriend.importers.messages import Chat, Options
from siliconfriend.importers.turns import TurnDraft, choose_chats, make_drafts


@dataclass(frozen=True, slots=True)
class Format:
    """A format of export files.

    Attributes:
        fits: returns something true for the beginning of such a file.
        read: yields the chats of a file.
        named: matches the service's own file name; other files in the same zip are attachments.
    """

    fits: Callable[[str], object]
    read: Callable[[SourceFile, Options], Iterator[Chat]]
    named: str = ".+"


FORMATS: Mapping[str, Format] = {
    "chatgpt": Format(services.CHATGPT.match, services.read_chatgpt, r"conversations(-\d+)?\.json"),
    "claude": Format(services.CLAUDE.match, services.read_claude, r"conversations\.json"),
    "sillytavern": Format(services.SILLYTAVERN.match, services.read_sillytavern),
    "telegram": Format(services.TELEGRAM.match, services.read_telegram, r"result\.json"),
    "characterai": Format(services.CHARACTERAI.match, services.read_characterai),
    "whatsapp": Format(whatsapp.fits, whatsapp.read, r"_chat\.txt"),
    "wechat-text": Format(lines.fits_wechat, lines.read_wechat),
    "text": Format(lines.fits_plain, lines.read_plain),
}
"""All formats, in the order in which an unknown file is tried."""


def _recognise(source: SourceFile, wanted: str | None = None) -> str | None:
    """Return the format of a file, ``wanted`` if it fits; None for an unknown one."""
    head, names = source.head(), filter(None, (wanted, *FORMATS))
    return next((name for name in names if FORMATS[name].fits(head)), None)


def is_foreign(path: Path) -> bool:
    """Return True if a file is an export of another program."""
    return any(_recognise(source) for source in sources_of(path))


@dataclass(frozen=True, slots=True)
class Past:
    """The contents of export files for one memory.

    Attributes:
        drafts: the turns in order of time.
        chats: number of imported chats.
        speakers: distinct pairs of names of person and companion.
        left_out: number of skipped messages by reason; ``keys`` counts removed API keys.
    """

    drafts: tuple[TurnDraft, ...]
    formats: tuple[str, ...]
    chats: int
    speakers: tuple[tuple[str, str], ...]
    left_out: Counter[str]

    @property
    def messages(self) -> int:
        """The number of messages in the turns."""
        return sum(len(draft.words) for draft in self.drafts)

    @property
    def dates(self) -> list[str]:
        """The days, ascending."""
        return sorted({draft.date for draft in self.drafts})


def read_past(
    paths: Sequence[Path],
    form: str | None,
    options: Options,
    *,
    zone: ZoneInfo,
    now: datetime,
    key_mark: str,
    reading: Callable[[str], None] = lambda _name: None,
) -> Past:
    """Read files of the format ``form``, or of their detected formats.

    Args:
        paths: the files.
        form: name of the format, or None.
        options: the options of the import.
        zone: the person's time zone.
        now: the present in UTC.
        key_mark: replacement of API keys.
        reading: called with the name of each file before it is read.

    Raises:
        UnreadableFile: a file has another format or is damaged.
        Undecided: only the person can decide something.
        UsageError: a named speaker is not in the files.
    """
    by_format: dict[str, list[Chat]] = {}
    for path in dict.fromkeys(paths):
        for name, source in _wanted(path, form, options.encoding):
            reading(source.label)
            try:
                by_format.setdefault(name, []).extend(FORMATS[name].read(source, options))
            except WrongField as error:
                details = {"path": source.label, "field": str(error)}
                raise UnreadableFile("import_wrong_field", **details) from error
    chosen = {name: choose_chats(chats, options) for name, chats in by_format.items()}
    taken = [(name, chat) for name, chats in chosen.items() for chat in chats]
    # The days of times without an offset depend on the time zone.
    said = (message.said for _, chat in taken for message in chat.messages)
    if options.zone is None and any(isinstance(one, datetime) and not one.tzinfo for one in said):
        raise Undecided("import_zone", "timezone")
    drafts: list[TurnDraft] = []
    for name, chat in taken:
        drafts += make_drafts(chat, name, options.zone or zone, zone, now, key_mark)
    drafts.sort(key=lambda draft: draft.moment(zone))
    return Past(
        tuple(drafts),
        tuple(by_format),
        len(taken),
        tuple(dict.fromkeys((chat.person, chat.companion) for _, chat in taken)),
        sum((chat.skipped for chats in by_format.values() for chat in chats), Counter()),
    )


def _wanted(path: Path, form: str | None, encoding: str | None) -> list[tuple[str, SourceFile]]:
    """Return the files to read of a path, each with its format; UnreadableFile if there is none."""
    found = [(source, _recognise(source, form)) for source in sources_of(path, encoding)]
    known = {name for _, name in found}
    wanted = form or next((name for name in FORMATS if name in known), "")
    files = [source for source, name in found if name == wanted]
    if not files:
        key = "import_not_format" if form else "import_no_format"
        raise UnreadableFile(key, path=path.name, form=form, known=", ".join(FORMATS))
    named, names = re.compile(FORMATS[wanted].named), [Path(source.inner) for source in files]
    own = [named.fullmatch(name.name) or name.stem == path.stem for name in names]
    return [(wanted, source) for source in compress(files, own)] or [(wanted, one) for one in files]

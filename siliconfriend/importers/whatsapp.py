"""Read WhatsApp's exports: ``_chat.txt`` of an iPhone, ``WhatsApp Chat with ….txt`` of Android.

Dates, times and notices are in the phone's language. A line begins a message if it has a date, a time
and the marks of one of the two systems.
"""

import re
from collections.abc import Iterator

from siliconfriend.importers.files import SourceFile
from siliconfriend.importers.lines import Begun, Verdict, read_lines, to_clock
from siliconfriend.importers.messages import Chat, Options

LRM = "\u200e"
"""The left-to-right mark, which begins system texts of an iPhone."""
_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_MEDIA_WORDS = (
    "medi", "médi", "mídi", "medya", "медиа", "файл", "媒体", "媒體", "メディア", "미디어", "मीडिया",
    "وسائط", "מדיה", "archivo", "fichier", "attached", "omitted",
)  # fmt: skip
_OMITTED = re.compile(r"(?:image|video|audio|sticker|GIF|document|Contact card|Video note) omitted")
_BRACKETED = re.compile(r"<[^<>\n]{3,80}>")
_ATTACHED = re.compile(r"[^\n]{1,120}\.\w{2,5} \([^()\n]{4,60}\)(?:\n|\Z)")
_DELETED = re.compile(
    r"(?:This message was deleted|You deleted this message|This message was deleted by admin .*"
    r"|Diese Nachricht wurde gelöscht|Du hast diese Nachricht gelöscht"
    r"|Se eliminó este mensaje|Eliminaste este mensaje|Este mensaje fue eliminado"
    r"|Ce message a été supprimé|Vous avez supprimé ce message"
    r"|Questo messaggio è stato eliminato|Hai eliminato questo messaggio"
    r"|Mensagem apagada|Você apagou esta mensagem|Esta mensagem foi apagada|Apagou esta mensagem"
    r"|Dit bericht is verwijderd|Je hebt dit bericht verwijderd|U hebt dit bericht verwijderd"
    r"|Данное сообщение удалено|Вы удалили данное сообщение|Bu mesaj silindi|Bu mesajı sildiniz"
    r"|此消息已删除|你删除了这条消息|您删除了这条消息|這則訊息已刪除|此訊息已刪除|你已刪除此訊息|您已刪除此訊息"
    r"|このメッセージは削除されました|このメッセージを削除しました|삭제된 메시지입니다|이 메시지는 삭제되었습니다"
    r"|Pesan ini dihapus|Anda menghapus pesan ini|Ta wiadomość została usunięta"
    r"|null)\.?。?"
)
_EDITED = re.compile(
    r"<[^<>\n]{0,80}(?:edited|bearbeitet|editó|editad|modifi|bewerkt|düzenlen|изменен|отредактир"
    r"|编辑|編輯|編集|편집|edytowan|redigera|redigert|muokat|diedit)[^<>\n]{0,80}>\Z",
    re.IGNORECASE,
)


def _classify(words: str) -> Verdict:
    is_marked = words.lstrip(" \u200f\ufeff").startswith(LRM)
    plain = _MARKS.sub("", words).strip()
    text = _EDITED.sub("", plain).rstrip()
    edited = text != plain
    if not text or _DELETED.fullmatch(text):
        return "deleted" if text else "empty", "", edited
    if _is_media(text):
        return "media", "", edited
    if is_marked and not edited:
        return "system", "", edited
    text = _without_files(text)
    return ("" if text else "media"), text, edited


def _is_media(text: str) -> bool:
    if _OMITTED.fullmatch(text):
        return True
    found = _BRACKETED.fullmatch(text)
    return found is not None and any(word in text.lower() for word in _MEDIA_WORDS)


def _without_files(text: str) -> str:
    """Return the caption of a sent file."""
    first, _, rest = text.partition("\n")
    if _is_media(first):
        return rest.strip()
    text = _ATTACHED.sub("", text, count=1) if _ATTACHED.match(text) else text
    last = _BRACKETED.search(text)
    if last is not None and last.end() == len(text) and _is_media(last[0]):
        text = text[: last.start()]
    return text.strip()


_HEAD = re.compile(
    r"(?P<open>\[?)(?P<first>\d{1,4})(?P<mark>\s?[./年-])\s?(?P<second>\d{1,2})\s?[./月-]\s?"
    r"(?P<third>\d{1,4})日?\.?(?P<between>[^\d\]\[]{1,16}?)"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second_of>\d{2}))?"
    r"(?P<half>\s?[^\d\s\[\]:-][^\d\[\]:-]{0,11})?(?P<end>\]\s?|\s[-–—]\s)(?P<rest>.*)",
    re.DOTALL,
)
_NAMED = re.compile(r"(.{1,100}?):(?: (.*)|\s*)", re.DOTALL)


def fits(head: str) -> bool:
    """Return True if one of the first lines begins a message."""
    lines = [line for line in head.splitlines()[:20] if line.strip()]
    return any(map(_begun, lines[:3]))


def read(source: SourceFile, options: Options) -> Iterator[Chat]:
    """Yield the chat of a file; Undecided if its dates are ambiguous."""
    chat = read_lines(source, options, _begun, _classify)
    chat.companion = _named_in_the_file(chat, source)
    yield chat


def _begun(line: str) -> Begun | None:
    plain = line.lstrip(LRM + "\u200f\ufeff").replace("\u202f", " ").replace("\xa0", " ")
    plain = plain.rstrip("\r\n")
    # Arabic and Persian phones write marks of direction between the digits.
    found = _HEAD.match(plain) or _HEAD.match(_MARKS.sub("", plain))
    if found is None or (found["end"].startswith("]") != bool(found["open"])):
        return None
    second, between, mark = found["second_of"], found["between"], found["mark"].strip()
    try:
        clock = to_clock(found["hour"], found["minute"], second, between, found["half"])
    except ValueError:
        return None
    numbers = (int(found["first"]), int(found["second"]), int(found["third"]))
    style = (found["open"], mark, second is None, "," in between)
    named = _NAMED.fullmatch(found["rest"])
    name = _MARKS.sub("", named[1]).strip().removeprefix("~").strip() if named else ""
    words = named[2] or "" if named else found["rest"]
    return Begun(numbers, clock, name, words, is_dotted=mark == ".", style=style)


def _named_in_the_file(chat: Chat, source: SourceFile) -> str:
    """Return the speaker in WhatsApp's file name, or empty."""
    names = f"{source.path.name}\n{source.inner}"
    found = sorted((name for name in chat.speakers() if name in names), key=len)
    is_its_own = "whatsapp" in names.lower() and all(name in found[-1] for name in found)
    return found[-1] if found and is_its_own else ""

"""Recognize placeholders in WhatsApp's exports: media, deleted messages, notices.

An iPhone marks all of these with an invisible sign, whatever its language. Android does not, so
their words are known here, in the languages of most exports; what is not known stays as words.
"""

from __future__ import annotations

import re

LRM = "\u200e"
"""The left-to-right mark: with it an iPhone begins what nobody typed."""

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
    r"\s*<[^<>\n]*(?:edited|bearbeitet|editó|editad|modifi|bewerkt|düzenlen|изменен|отредактир"
    r"|编辑|編輯|編集|편집|edytowan|redigera|redigert|muokat|diedit)[^<>\n]*>\s*\Z",
    re.IGNORECASE,
)


def strip_marks(words: str) -> str:
    """The words without marks of direction, which belong to no name and no text."""
    return _MARKS.sub("", words)


def classify(words: str) -> tuple[str, str, bool]:
    """Classify the words of a message.

    Returns:
        Why it is left out (``media``, ``deleted``, ``system``), empty where it is not; its
        words; whether they were changed after they were sent.
    """
    is_marked = words.lstrip(" \u200f\ufeff").startswith(LRM)
    plain = strip_marks(words).strip()
    text = _EDITED.sub("", plain)
    edited = text != plain
    if not text or _DELETED.fullmatch(text):
        return "deleted" if text else "empty", "", edited
    if _is_media(text):
        return "media", "", edited
    if is_marked and not edited:
        # With a caption the mark stands behind it, before the name of the file.
        return "system", "", edited
    text = _without_files(text)
    return ("" if text else "media"), text, edited


def _is_media(text: str) -> bool:
    if _OMITTED.fullmatch(text):
        return True
    found = _BRACKETED.fullmatch(text)
    return found is not None and any(it in text.lower() for it in _MEDIA_WORDS)


def _without_files(text: str) -> str:
    """The caption of a file that was sent with words."""
    first, _, rest = text.partition("\n")
    if _is_media(first):
        return rest.strip()
    text = _ATTACHED.sub("", text, count=1) if _ATTACHED.match(text) else text
    last = _BRACKETED.search(text)
    if last is not None and last.end() == len(text) and _is_media(last[0]):
        text = text[: last.start()]
    return text.strip()

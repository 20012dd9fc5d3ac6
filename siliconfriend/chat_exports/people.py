"""Who is who: which speaker of a file is the person, and which becomes the companion.

Putting words into the wrong mouth would be the worst of all memories, so nothing is guessed:
the file says it, or the names do, or the person is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from siliconfriend.chat_exports.clean import visible
from siliconfriend.chat_exports.message import Chat
from siliconfriend.chat_exports.options import Options
from siliconfriend.errors import Undecided, UsageError

MOST_NAMES = 12
"""Names that a question lists."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A chat with the two whose words are taken.

    Attributes:
        chat: the talk.
        person: the person's name in it; empty where they said nothing.
        companion: the other's; empty where they said nothing.
    """

    chat: Chat
    person: str
    companion: str


def choose_pairs(chats: Sequence[Chat], options: Options, skipped: Counter[str]) -> list[Pair]:
    """The talks to take, each with its two; what is left out is counted in ``skipped``.

    Args:
        chats: of one format.
        options: who is named.
        skipped: messages that are left out, by reason.

    Raises:
        Undecided: the person has to say who they are, or whom of several they mean.
        UsageError: a name that is given stands nowhere or is given twice, or there is only a
            group chat.
    """
    if options.me and options.me == options.other:
        raise UsageError("import_same_name", name=visible(options.me))
    talks = [chat for chat in chats if chat.messages]
    names = Counter(it.speaker for chat in talks for it in chat.messages)
    for wanted in filter(None, (options.me, options.other)):
        if talks and wanted not in names and wanted not in _told(talks):
            raise UsageError("import_no_speaker", name=visible(wanted), names=_listed(names))
    pairs = []
    for chat in talks:
        pair = _pair_of(chat, options, is_only=len(talks) == 1)
        if pair is None:
            skipped["group" if chat.is_group else "other_chat"] += len(chat.messages)
        else:
            pairs.append(pair)
    others = Counter(pair.companion for pair in pairs if pair.companion)
    if len(others) > 1 and not options.other:
        found = tuple(name for name, _ in others.most_common())
        raise Undecided("import_which_other", "other", found, names=_listed(found))
    return pairs


def _told(chats: Sequence[Chat]) -> set[str]:
    return {name for chat in chats for name in (chat.person, chat.companion)}


def _pair_of(chat: Chat, options: Options, *, is_only: bool) -> Pair | None:
    """The two of a chat; None where it is not the one that is meant."""
    names = chat.speakers()
    if options.other and options.other not in (*names, chat.companion):
        return None
    if chat.is_group and not is_only:
        return None
    told = "" if chat.is_group or chat.companion == options.me else chat.companion
    companion = options.other or told
    person = _person_of(chat, names, companion, options)
    rest = [name for name in names if name not in (person, companion)]
    if not companion and len(rest) > 1:
        if is_only:
            details = {"count": len(names), "names": _listed(names)}
            raise UsageError("import_group", **details)
        chat.is_group = True
        return None
    return Pair(chat, person, companion or (rest[0] if rest else ""))


def _person_of(chat: Chat, names: Sequence[str], companion: str, options: Options) -> str:
    if options.me and (options.me in names or options.me == chat.person):
        return options.me
    if chat.person:
        return chat.person
    if options.me and len(names) == 1:
        return ""
    own = [it for it in names if it.strip().casefold() == options.user.strip().casefold()]
    if len(own) == 1 and own[0] != companion:
        return own[0]
    rest = [name for name in names if name != companion]
    if companion and len(rest) <= 1:
        return rest[0] if rest else ""
    raise Undecided("import_who", "me", tuple(names), names=_listed(names))


def _listed(names: Sequence[str] | Counter[str]) -> str:
    several = list(names)
    shown = ", ".join(visible(name) for name in several[:MOST_NAMES])
    return shown if len(several) <= MOST_NAMES else f"{shown} …"

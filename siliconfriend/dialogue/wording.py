"""The wordings of the offline companion: which of several a reply uses.

The choice follows from the day and the number of the turn, so that the same talk always gets
the same replies; the one that the reply before had is passed over, since a friend who says the
same sentence twice in a row is a machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from string import Formatter

from siliconfriend.dialogue.humanize import humanize_day
from siliconfriend.dialogue.meant_days import name_meant_days
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.weaving import weave
from siliconfriend.language.sentences import end_sentence, join_sentences
from siliconfriend.texts import Language, area

OFF_RECORD = {
    "hello_new": "hello_unkept",
    "farewell": "farewell_unkept",
    "keeping": "keeping_unkept",
    "nothing": "nothing_unkept",
    "kept": "unkept",
    "kept_new": "unkept",
    "kept_new_heavy": "unkept_heavy",
    "kept_heavy": "unkept_heavy",
    "kept_weary": "unkept",
    "kept_bright": "unkept_bright",
    "kept_birthday": "unkept_birthday",
    "kept_asked": "unkept",
    "kept_lost": "unkept",
    "kept_waiting": "unkept",
    "kept_ahead": "unkept",
}
"""Wordings that promise to keep something, and what stands for them off the record."""

_FIRST_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]")

BEHIND_COLON = ": {words}"
"""What a wording has in which the words need not be a clause."""

_STRAIGHT, _INNER = re.compile(r'"([^"]*)"'), str.maketrans("“”", "‘’")

QUOTING = ("told", "answered", "noted", "reminds")
"""What the names of wordings begin with that quote what was told on another day."""


class Wordings:
    """Chooses wordings for one reply, none of them twice."""

    def __init__(self, context: ReplyContext) -> None:
        self._context = context
        self._chosen: list[str] = []
        self._replies = [it.response for it in context.earlier]

    def say(self, key: str, said_on: str | None = None, **values: object) -> str:
        """Choose a wording of ``key`` and put the values and the day ``said_on`` in."""
        context = self._context
        key = OFF_RECORD.get(key, key) if context.off_record else key
        wordings: Sequence[str] = area("dialogue", context.language)["offline"][key]
        told = str(values.get("words", ""))
        if said_on is not None:
            told_on = date.fromisoformat(said_on)
            values |= self._day_values(told_on)
            woven = weave(told, told_on, context.today, context.language)
            if woven is not None and key in _woven(context.language):
                wordings = _woven(context.language)[key]
                values["words"] = woven.words
                if not woven.is_clause:
                    wordings = [it for it in wordings if BEHIND_COLON in it]
        wording = self._choose(wordings)
        person = context.memory.profile.name
        put_in = {
            name: _as_quoted(str(value), context.language) if f"“{{{name}}}" in wording else value
            for name, value in values.items()
        }
        sentence = wording.format(person=person, companion=context.companion_name, **put_in)
        if said_on is None or not key.startswith(QUOTING):
            return sentence
        meant = name_meant_days(
            told, date.fromisoformat(said_on), context.today, context.language, str(values["words"])
        )
        return join_sentences([sentence, *([meant] if meant else [])])

    def was_said(self, *keys: str) -> bool:
        """True if the last reply has a wording of one of some keys."""
        last = self._replies[-1] if self._replies else ""
        return holds_wording(last, keys, self._context.language)

    def _choose(self, wordings: Sequence[str]) -> str:
        """The next in turn that this reply has not, of those that were not said for the longest."""
        start = self._context.today.toordinal() + self._context.number
        in_turn = [wordings[(start + at) % len(wordings)] for at in range(len(wordings))]
        fresh = [it for it in in_turn if it not in self._chosen]
        wording = min(fresh or in_turn, key=self._how_lately)
        self._chosen.append(wording)
        return wording

    def _how_lately(self, wording: str) -> int:
        """How many of the last replies there were up to one that begins alike; 0 for none."""
        form = _form(_beginning(wording))
        said = (at for at, reply in enumerate(self._replies, start=1) if form.search(reply))
        return max(said, default=0)

    def _day_values(self, day: date) -> dict[str, str]:
        today, language = self._context.today, self._context.language
        spoken = humanize_day(day, today, language)
        return {
            "day": spoken,
            "Day": spoken[:1].upper() + spoken[1:],
            "day_alone": humanize_day(day, today, language, alone=True),
        }


def holds_wording(reply: str, keys: Iterable[str], language: Language) -> bool:
    """True if a reply has a wording of one of some keys, quoting or woven."""
    offline = area("dialogue", language)["offline"]
    wordings = (it for key in keys for it in (*offline[key], *_woven(language).get(key, ())))
    return any(_form(wording).search(reply) for wording in wordings)


def _woven(language: Language) -> Mapping[str, Sequence[str]]:
    """The wordings that weave what was said into a sentence, of those that quote."""
    woven: Mapping[str, Sequence[str]] = area("dialogue", language)["woven"]
    return woven


def _as_quoted(words: str, language: Language) -> str:
    """Words as they stand within quotation marks: what they quote themselves has single ones.

    They end as a sentence does, since the reply goes on behind them.
    """
    return end_sentence(_STRAIGHT.sub(r"‘\1’", words).translate(_INNER), language)


def _beginning(wording: str) -> str:
    """The first sentence of a wording where it is a fixed one, else all of it."""
    first = _FIRST_SENTENCE.match(wording)
    return first.group() if first and "{" not in first.group() else wording


@cache
def _form(wording: str) -> re.Pattern[str]:
    """A wording as a pattern: its fixed words, with anything where values stand."""
    pieces = [
        re.escape(fixed) + (".+?" if name is not None else "")
        for fixed, name, _, _ in Formatter().parse(wording)
    ]
    return re.compile("".join(pieces), re.DOTALL)

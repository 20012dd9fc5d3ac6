"""Quotes memories: in the person's own words, each with its day and with who said it.

Nothing else of a memory is ever said; the wordings weave the words into their sentence where that
can be done without error. What the companion answered is called its answer, and a
note is called a note, so that nobody's words are taken for another's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from siliconfriend.dialogue.excerpt import LONGEST_QUOTE, excerpt
from siliconfriend.dialogue.intent import asks_what_companion_said
from siliconfriend.dialogue.told_words import said_words, tells_something
from siliconfriend.dialogue.wording import Wordings
from siliconfriend.language.overlap import overlap_terms
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import DaySummary, Memory, PersonMemory, Turn
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.matters import matters_asked, says_which, where_told
from siliconfriend.recall.results import Recalled

SHORT_QUOTE = 160
"""Characters of each quotation where a reply holds more than one."""


class Quoter:
    """Quotes memories in a reply to what was said."""

    def __init__(self, said: str, wordings: Wordings) -> None:
        self._said = said
        self._asked = overlap_terms(said)
        self._matters = matters_asked(said)
        self._wordings = wordings

    def quote_all(self, found: Sequence[Recalled]) -> list[str]:
        """Quote the memories in order; what follows the first joins on to it."""
        return self.quote_turns([it.memory for it in found])

    def quote_turns(self, memories: Sequence[Memory]) -> list[str]:
        """Quote memories that no recall found."""
        longest = LONGEST_QUOTE if len(memories) < 2 else SHORT_QUOTE
        quotes, last_day = list[str](), ""
        for memory in memories:
            key = "told_same_day" if memory.date == last_day else "told_too" if quotes else "told"
            quotes.append(self._quote(memory, key, longest))
            last_day = memory.date
        return quotes

    def words(self, memory: Memory, longest: int = LONGEST_QUOTE) -> str:
        """What is quoted of a memory where no answer of the companion is."""
        return excerpt(said_words(memory), self._asked, longest, self._tells)

    def _tells(self, sentence: str) -> bool:
        """True if a sentence tells of a matter that the message asks about, and says which it is."""
        return any(where_told(it, sentence) and says_which(it, sentence) for it in self._matters)

    def shared(self, memory: Memory) -> int:
        """Count the words of the message that stand in what would be quoted of the memory."""
        words = said_words(memory)
        if isinstance(memory, Turn) and self.answer_is_ours(memory):
            words = f"{words}\n{memory.response}"
        return len(self._asked & overlap_terms(words))

    def answer_is_ours(self, turn: Turn) -> bool:
        """True if the question asks for the companion's own words of a turn, or they hold what it asks.

        They do where they hold two words of the question more than the person's own: the place
        that was only meant by "the old pier" may be named in the answer.
        """
        # What it said without a model holds nothing but the person's words and small change.
        if not turn.response.strip() or turn.replied_by == OFFLINE:
            return False
        if asks_what_companion_said(self._said):
            return True
        in_query = len(self._asked & overlap_terms(turn.query))
        holds_more = len(self._asked & overlap_terms(turn.response)) >= in_query + 2
        return holds_more and tells_something(turn.query)

    def _quote(self, memory: Memory, key: str, longest: int) -> str:
        words = self.words(memory, longest)
        if isinstance(memory, Fact) and own_words(memory) != memory.text:
            return self._wordings.say(key, memory.date, words=words)
        if not isinstance(memory, Turn):
            return self._wordings.say("noted", memory.date, words=words)
        if not self.answer_is_ours(memory):
            return self._wordings.say(key, memory.date, words=words)
        ours = excerpt(memory.response, self._asked, longest)
        return self._wordings.say("answered", memory.date, words=words, answer=ours)


def in_own_words(recalled: Recalled, memory: PersonMemory, about: str) -> Recalled | None:
    """The turn that a note made offline was taken from, or else what was recalled itself.

    Such a note is a run of the person's sentences and nothing else; of the turns it was made from
    the one is meant that has most to do with what it is wanted for. None if they only asked.

    Args:
        recalled: what was recalled.
        memory: whose it is.
        about: the message that brought it to mind.
    """
    note = recalled.memory
    if not isinstance(note, Event | DaySummary) or note.provenance.made_by != OFFLINE:
        return recalled
    turns = (memory.find(identifier) for identifier in note.provenance.from_ids)
    found = [turn for turn in turns if isinstance(turn, Turn)]
    told = [turn for turn in found if tells_something(turn.query)]
    if not told:
        return None if found else recalled
    terms = overlap_terms(about)
    nearest = max(told, key=lambda turn: len(terms & overlap_terms(turn.query)))
    return replace(recalled, memory=nearest)


def is_own(recalled: Recalled, memory: PersonMemory) -> bool:
    """True if something recalled was told this very companion, and not one that shares its memory."""
    return recalled.is_relevant or memory.find(recalled.memory.id) is not None


def without_repeats(ranked: Iterable[Recalled]) -> list[Recalled]:
    """Leave out what repeats a better one: the same words again, or the note of a quoted day."""
    kept: list[Recalled] = []
    seen: set[str] = set()
    for recalled in ranked:
        words = said_words(recalled.memory).casefold()
        days = {other.memory.date for other in kept}
        if words in seen or (
            not isinstance(recalled.memory, Turn) and recalled.memory.date in days
        ):
            continue
        seen.add(words)
        kept.append(recalled)
    return kept

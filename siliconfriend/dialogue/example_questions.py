"""Three questions that a person can ask of their own memory, and that it has an answer to.

Who opens the page sees a box and no reason to write anything into it. One question names
somebody or something that was told of often, one a day that was dear, and one is about all of
it; they are made from what was told, without a model.
"""

from __future__ import annotations

from collections import Counter
from datetime import date

from siliconfriend.dialogue.handful import choose_handful, statements
from siliconfriend.dialogue.humanize import humanize_day
from siliconfriend.language.characters import is_chinese
from siliconfriend.language.dictionary import is_proper_name
from siliconfriend.language.keywords import extract_keywords
from siliconfriend.language.kinship import relations_of
from siliconfriend.language.word_lists import generic_words
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.cue import find_names
from siliconfriend.texts import Language, text

LOOKED_AT = 200
"""So many of the latest statements are read for names."""


def example_questions(memory: PersonMemory, today: date, language: Language) -> list[str]:
    """Return up to three questions, those about a name and a day first; none of a stranger.

    Args:
        memory: the person's own.
        today: the person's day; of today itself nobody has to ask.
        language: that of the questions, whatever that of the memory.
    """
    told = choose_handful(memory)
    if not told:
        return []
    asked = []
    if name := _often_told(memory):
        asked.append(text("dialogue", "examples.name", language, name=name))
    of_others = [it for it in told if not name or name not in it.query]
    earlier = [it for it in of_others if it.date < today.isoformat()]
    if earlier:
        day = humanize_day(date.fromisoformat(earlier[-1].date), today, language)
        asked.append(text("dialogue", "examples.day", language, day=day))
    return [*asked, text("dialogue", "examples.all", language)]


def _often_told(memory: PersonMemory) -> str:
    """The name that most facts are about, else the one that most statements hold; empty for none."""
    facts = Counter(
        it.entity
        for it in memory.facts()
        if it.is_active and it.entity_type == "specific" and not _is_anybody(it.entity)
    )
    if facts:
        return max(facts, key=lambda it: (facts[it], it))
    said: Counter[str] = Counter()
    for number, turn in enumerate(statements(memory)):
        if number == LOOKED_AT:
            break
        said.update(_names_in(turn.query))
    name, count = max(said.items(), key=lambda it: (it[1], it[0]), default=("", 0))
    return name if count > 1 else ""


def _names_in(words: str) -> set[str]:
    """What may be a name: an English keyword with a capital within a sentence, any Chinese name or relative."""
    keywords = set(extract_keywords(words))
    named = find_names(words)
    found = {
        it
        for it in keywords
        if is_chinese(it)
        and not _is_anybody(it)
        and (it in named or is_proper_name(it) or relations_of(it))
    }
    before = "."
    for word in words.split():
        bare = word.strip("\"'“”‘’()[],.;:!?…—-").removesuffix("'s").removesuffix("’s")
        if bare[:1].isupper() and before[-1] not in '.!?…:"”“' and bare.casefold() in keywords:
            found.add(bare)
        before = word
    return found


def _is_anybody(name: str) -> bool:
    """True for a word that names nobody in particular: a friend, a colleague."""
    word = name.casefold()
    is_no_relative = any(step.startswith("x") for steps in relations_of(word) for step in steps)
    return is_no_relative or word in generic_words()

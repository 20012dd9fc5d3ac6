"""The matters of a life: what a question asks about someone, and which sentences tell of it.

"Who is my landlady?" shares no word with "Mrs Angove, who owns our house", and an embedder puts a
hundred other sentences nearer. Both are about the same matter, so each matter says how it is asked
for and how it is told (``texts/*/matters.toml``), in both languages under one name. Without it a
question in other words than those that were told would go unanswered, or be answered by whatever
lies nearest.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import ends_as_question, split_sentences
from siliconfriend.language.word_lists import matches
from siliconfriend.texts import LANGUAGES, area

LATEST_HOLDS = frozenset(
    (
        *("home", "job", "workplace", "wedding", "partner", "drink", "smoking"),
        *("birthday", "age", "height", "weight"),
    )
)
"""Matters of which one thing is true at a time: what was told last is the answer."""

OF_ANYONE = frozenset(
    (
        "landlord",
        "pet",
        "dog",
        "cat",
        "breed",
        "apprentice",
        "godchild",
        "courtship",
        "neighbour",
        "band",
        "wedding",
        "partner",
    )
)
"""Matters that are the person's own whoever the sentence is about: "Mrs Angove owns our house"."""


LASTING = (
    *("landlord", "not_eaten", "language", "instrument", "apprentice", "university", "wedding"),
    *("sport", "band", "pet", "vehicle", "workplace", "job"),
)
"""Matters that are worth a fact of their own where a change of them is told, the narrower first."""

OWN_PEOPLE = frozenset(("children",))
"""Matters that are told by whatever names one's own people, whatever else it tells of them."""

OWN_THINGS = frozenset(("pet", "dog", "cat", "vehicle"))
"""Matters that a question asks about which only names what one has: "What does my dog eat?"."""

NEEDS_OBJECT = frozenset(("favourite", "price", "lost", "studies", "hobby"))
"""Matters that say nothing without their object: a favourite song is no favourite singer."""


MEASURED = frozenset(("height", "weight", "age", "birthday", "price"))
"""Matters that are told in few forms of words: what has none of these does not tell of them."""


@lru_cache(maxsize=1024)
def matters_asked(question: str) -> frozenset[str]:
    """The matters that a question asks about."""
    plain = question.replace("’", "'")
    return frozenset(
        matter for matter in _matters() if any(it.search(plain) for it in _patterns(matter, "asks"))
    )


@lru_cache(maxsize=65536)
def where_told(matter: str, sentence: str) -> tuple[int, int] | None:
    """Start and end of the words with which a sentence tells of a matter; None where it does not."""
    found = [it.search(sentence) for key in ("names", "tells") for it in _patterns(matter, key)]
    return min((match.span() for match in found if match is not None), default=None)


@lru_cache(maxsize=8192)
def telling_sentences(text: str) -> tuple[tuple[str, str], ...]:
    """The sentences of a text that do not ask, each with the one before it."""
    sentences = split_sentences(text)
    pairs = zip(sentences, ["", *sentences], strict=False)
    return tuple((it, before) for it, before in pairs if not ends_as_question(it))


def says_which(matter: str, sentence: str) -> bool:
    """True if what tells of a matter says which it is: "my job is dull" names no job."""
    patterns = _patterns(matter, "names")
    return not patterns or any(it.search(sentence) for it in patterns)


def asks_past(question: str) -> bool:
    """True if a question asks how it was before, or for all there has been."""
    return matches("recall", "asks_past", fold(question))


def asks_several(question: str) -> bool:
    """True if a question asks for all there is of something: "Which illnesses have I had?"."""
    return matches("recall", "asks_several", fold(question))


def asks_now(question: str) -> bool:
    """True if a question asks how it is by now: "Am I still going to the class?"."""
    return matches("recall", "asks_now", fold(question))


def tells_change(words: str) -> bool:
    """True if words tell that something began, ended or became another: "I've taken up fencing"."""
    return matches("recall", "tells_change", fold(words))


def tells_state(words: str) -> bool:
    """True if words tell how things are for long: "I work nights at the clinic"."""
    return matches("recall", "tells_state", fold(words))


def tells_weighing(words: str) -> bool:
    """True if words only weigh something: "I'm considering whether to switch jobs"."""
    return matches("recall", "tells_weighing", fold(words))


def tells_past(words: str) -> bool:
    """True if words tell how it was and no longer is: "I used to live in Leeds"."""
    return matches("recall", "tells_past", fold(words))


def without_asking(question: str, matter: str) -> str:
    """A question without the words that ask about a matter: what is left is its object."""
    plain = question.replace("’", "'")
    for pattern in (*_patterns(matter, "asks"), *_patterns(matter, "beside")):
        plain = pattern.sub(" ", plain)
    return plain


@cache
def _matters() -> tuple[str, ...]:
    return tuple(area("matters", "en"))


@cache
def _patterns(matter: str, key: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile("|".join(f"(?:{it})" for it in patterns), re.I)
        for language in LANGUAGES
        if (patterns := area("matters", language).get(matter, {}).get(key, []))
    )

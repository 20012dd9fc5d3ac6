"""How things stand by now: where somebody is, who cares for them, whom and what one has.

Such a question is answered by what was told last of just the one it asks about, be it by a name:
"Pixel is coming to live with me" answers for "my dog", however near "my boyfriend stayed with our
dog" lies. What ended ("Joost and I broke up", 把车卖了) stands before what was told earlier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from siliconfriend.language.belongings import (
    belongings_in,
    is_belonging,
    names_of_belongings,
    words_for_belonging,
)
from siliconfriend.language.characters import HAN, fold
from siliconfriend.language.kinship import Relation, relatives_in, words_for
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.word_coverage import content_forms, held_in
from siliconfriend.language.word_lists import any_of
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.matters import (
    telling_sentences,
    tells_past,
    tells_weighing,
    where_told,
)
from siliconfriend.recall.people_named import (
    PARTNER,
    Whom,
    aliases_of,
    is_named_last,
    person_share,
    whom_asked,
)
from siliconfriend.texts import LANGUAGES, lookup

Kind = Literal["has", "household", "care", "where"]
KINDS: tuple[Kind, ...] = ("has", "household", "care", "where")

TOLD, HINTED = 2, 1
"""How surely a sentence says how things stand: outright, and by a hint ("went to the shop")."""

MOST = 3
"""Most memories in the answer, where several may hold at a time."""

NEAR = 12
"""Most characters between "looks after" and the one who is looked after."""

_ARTICLE = re.compile(r"^(?:an?|any|the|that) ", re.IGNORECASE)
_NAMED = re.compile(rf",? ?[A-Z][a-zé]+$|(?!的)[{HAN}](?!的)[{HAN}]{{1,2}}$")
_GOES_ON = re.compile(r"(?:he|she|it|they)\b|[他她它](?!的|们|[爸妈哥弟姐妹])", re.IGNORECASE)
_NAME = re.compile(rf"^(?:[A-Z][a-zé]+|(?![我你您他她它这那])(?:(?!的)[{HAN}]){{2,4}})$")
_TOLD_AS: Mapping[str, tuple[str, ...]] = {
    "m": ("partner", "courtship", "wedding"),
    "c": ("children",),
}
"""Matters by which a partner or a child is told of without a word for them."""

_UNSAID: Mapping[Kind, tuple[Relation, ...]] = {"has": (PARTNER,)}
"""Whom a question is about that names nobody: "Am I married?"."""

_ENDS_OF = {"m": "partner", "o": "belonging", "x": "lodger"}
"""What of ``has`` in ``standing.toml`` ends having one, by the first letter of the last step."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A question for how things stand.

    Attributes:
        kind: what it asks.
        whom: the words for the one it asks about; empty for the person.
        relations: what they are to the person, as far as the words say.
    """

    kind: Kind
    whom: str
    relations: tuple[Relation, ...]


def standing_asked(question: str) -> Standing | None:
    """Read a question for how things stand; None where it is no such question."""
    last = next(reversed(split_sentences(question.replace("’", "'"))), "")
    for kind in KINDS:
        for pattern in _patterns(kind, "asks"):
            for match in pattern.finditer(last):
                whom = match.groupdict().get("whom") or ""
                own = _ARTICLE.sub("my ", whom) if kind == "has" else whom
                relations = relations_in_words(own) if whom else _UNSAID.get(kind, ())
                if kind == "household" or relations or _NAME.match(whom):
                    return Standing(kind, whom, relations)
    return None


def relations_in_words(words: str) -> tuple[Relation, ...]:
    """What words for one's own stand for, and nothing else: "my dog Rex", "the cat", 我爸."""
    for text in (words, _NAMED.sub("", words)):
        found = [*relatives_in(text), *belongings_in(text)]
        relations = [it.relation for it in found if text[it.end :] in ("", "s")]
        if relations:
            return tuple(dict.fromkeys(relations))
    return ()


def find_standing(
    asked: Standing, texts: Sequence[str], moments: Sequence[tuple[str, int]]
) -> list[int]:
    """The places of the texts that say how things stand, the last told first.

    Args:
        asked: the question.
        texts: what was told.
        moments: when each was told, to be compared.
    """
    whom = whom_called(_ARTICLE.sub("my ", asked.whom), asked.relations, texts)
    if asked.kind != "household" and whom.is_person:
        return []
    strengths = {
        at: max((_strength(asked, whom, *it) for it in telling_sentences(text)), default=0)
        for at, text in enumerate(texts)
    }
    best = max(strengths.values(), default=0)
    told = [at for at, strength in strengths.items() if strength == best > 0]
    latest = sorted(told, key=lambda at: moments[at], reverse=True)
    if asked.kind == "household":
        return _lived_with(latest, texts)
    if asked.kind == "has":
        ended = (at for at, it in enumerate(latest) if _has_ended(whom, texts[it]))
        return latest[: min(MOST, max(1, next(ended, MOST)))]
    return latest[:1]


def find_of_named(question: str, texts: Sequence[str]) -> list[int]:
    """The places of the texts that tell what else is asked of a pet or a thing that has a name.

    None where it has none, or where nothing else is asked: "Where is my dog?".
    """
    owned = [it.relation for it in belongings_in(question)] if is_question(question) else []
    thing = " ".join(word for relation in owned for word in words_for_belonging(relation))
    about = content_forms(question) - content_forms(thing)
    whom = whom_called(question, owned, texts) if owned and about else Whom()
    if not whom.names:
        return []
    held = {
        at: len(held_in(sentence, about))
        for at, text in enumerate(texts)
        for sentence, _ in telling_sentences(text)
        if whom.is_in(sentence)
    }
    return [at for at in sorted(held, key=lambda at: (-held[at], -at)) if held[at]]


def moment_told(memory: Memory) -> tuple[str, int]:
    """The ISO day on which a memory was told last, and its place in it, a turn's behind a fact's."""
    if isinstance(memory, Fact):
        return memory.last or memory.date, -1
    return memory.date, memory.position if isinstance(memory, Turn) else -1


def is_told_of(asked: Iterable[Relation], texts: Iterable[str]) -> bool:
    """True if any text names one's own of these relations, or tells of them in other words."""
    relations = tuple(asked)
    whom, mentions = Whom(relations), _mention(relations)
    others = [it for relation in relations for it in _TOLD_AS.get(relation[-1][0], ())]
    return any(
        whom.is_in(sentence) or any(where_told(it, sentence) for it in others)
        for text in texts
        if others or mentions.search(text)
        for sentence, _ in telling_sentences(text)
    )


def whom_called(words: str, relations: Iterable[Relation], texts: Iterable[str]) -> Whom:
    """Whom words are about that stand for these relations, with what they are called in texts."""
    texts = [*texts]
    aliases = dict(aliases_of(texts))
    for text in texts:
        for name, relation in names_of_belongings(text):
            aliases[name] = aliases.get(name, frozenset()) | {relation}
    return whom_asked(words, (), aliases, relations)


def _strength(asked: Standing, whom: Whom, sentence: str, before: str) -> int:
    """How surely a sentence says how things stand: outright, by a hint, or not at all."""
    if tells_past(sentence) or tells_weighing(sentence):
        return 0
    if asked.kind == "has":
        is_named = Whom(whom.relations).is_in(sentence)
        return TOLD if is_named or _begins(whom, sentence) or _ends(whom, sentence) else 0
    if asked.kind == "household":
        return TOLD if _found("household", "tells", sentence) or _is_end(sentence) else 0
    if asked.kind == "care":
        return TOLD if _is_cared_for(whom, sentence) else 0
    goes_on = bool(_GOES_ON.match(sentence)) and whom.is_in(before) and not whom.is_in(sentence)
    for key, strength in (("tells", TOLD), ("hints", HINTED)):
        for match in _found("where", key, sentence):
            if goes_on or is_named_last(whom, sentence, match.start(), match.end()):
                return strength
    return 0


def _is_cared_for(whom: Whom, sentence: str) -> bool:
    """True if a sentence says who looks after someone: behind it, or before what is done to them."""
    for match in _found("care", "tells", sentence):
        behind = whom.first_place(sentence, match.end())
        if 0 <= behind - match.end() <= NEAR:
            return True
    return any(
        whom.last_place(sentence, match.end()) >= 0 for match in _found("care", "passive", sentence)
    )


def _is_end(sentence: str) -> bool:
    """True if a sentence says that one lives with others than before."""
    return any(
        person_share(sentence, match.start(), match.end()) == 1
        for match in _found("household", "ends", sentence)
    )


def _lived_with(latest: Sequence[int], texts: Sequence[str]) -> list[int]:
    """Whom one lives with by now: what was told since one last moved or parted."""
    found: list[int] = []
    for at in latest:
        if _found("household", "tells", texts[at]):
            found.append(at)
        if any(_is_end(it) for it in split_sentences(texts[at])):
            break
    return found[:MOST]


def _has_ended(whom: Whom, text: str) -> bool:
    """True if a text says that one has somebody no more; another of the kind may be there."""
    named = {it for it in whom.names if it in fold(text)}
    is_another = bool(named) and named != whom.names and not _is_partner(whom)
    return not is_another and any(_ends(whom, it) for it, _ in telling_sentences(text))


def _begins(whom: Whom, sentence: str) -> bool:
    """True if a sentence tells of a partner without a word for them: "I'm engaged"."""
    place = where_told("partner", sentence) if _is_partner(whom) else None
    return place is not None and person_share(sentence, *place) == 1


def _is_partner(whom: Whom) -> bool:
    return any(it[-1][0] == "m" for it in whom.relations)


def _ends(whom: Whom, sentence: str) -> bool:
    """True if a sentence says that somebody or something is no more what they were."""
    kinds = {_ENDS_OF.get(it[-1][0], "anyone") for it in whom.relations}
    for match in (it for kind in kinds | {"anyone"} for it in _found("has", kind, sentence)):
        if is_named_last(whom, sentence, match.start(), match.end()):
            return True
        if "partner" in kinds and person_share(sentence, match.start(), match.end()) == 1:
            return bool(_found("has", "partner", sentence))
    return False


def _found(kind: Kind, key: str, sentence: str) -> list[re.Match[str]]:
    return [it for pattern in _patterns(kind, key) for it in pattern.finditer(sentence)]


@cache
def _patterns(kind: Kind, key: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of both languages, each by itself."""
    return tuple(
        re.compile(source.replace("WHOM", r"(?P<whom>[^,，。?？]{1,40}?)"), re.IGNORECASE)
        for language in LANGUAGES
        for source in lookup("standing", f"{kind}.{key}", language)
    )


@cache
def _mention(relations: tuple[Relation, ...]) -> re.Pattern[str]:
    """A pattern for any word that may stand for these."""
    words = (words_for_belonging(it) if is_belonging(it) else words_for(it) for it in relations)
    return re.compile(any_of(word for several in words for word in several), re.IGNORECASE)

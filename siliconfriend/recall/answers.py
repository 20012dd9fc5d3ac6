"""Answers: what of all that was told answers a question about a matter of someone's life.

Ranking asks what lies near a question. A question as "Do I do any sport?" lies near every talk
about sport, and far from "I've joined the gig rowing club". Here is asked instead which sentence
tells of the matter that is asked about, of the one it is asked about; what lies near and what
shares words only puts these in order. Facts and turns are read alike, so that a question finds
its answer before a night as well as after.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.belongings import belongings_in
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.dictionary import is_proper_name
from siliconfriend.language.kinship import relatives_in
from siliconfriend.language.overlap import overlap_terms
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.word_lists import generic_words
from siliconfriend.memory.records import Memory
from siliconfriend.recall.answer_rows import days_asked, rows_read
from siliconfriend.recall.candidate_set import Numbers
from siliconfriend.recall.cue import Cue, find_names, name_words
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.family import asks_family, find_family
from siliconfriend.recall.found_answer import FoundAnswer, once
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.introductions import asked_of, introduces
from siliconfriend.recall.matters import (
    LATEST_HOLDS,
    NEEDS_OBJECT,
    OF_ANYONE,
    OWN_PEOPLE,
    OWN_THINGS,
    asks_now,
    asks_past,
    asks_several,
    matters_asked,
    says_which,
    telling_sentences,
    tells_change,
    tells_past,
    tells_weighing,
    where_told,
    without_asking,
)
from siliconfriend.recall.people_named import (
    UNNAMED,
    Whom,
    aliases_of,
    as_own,
    asks_of_companion,
    person_share,
    speaks_of_another,
    whom_asked,
)
from siliconfriend.recall.planned import find_planned
from siliconfriend.recall.plans import days_planned_for
from siliconfriend.recall.standing import (
    find_of_named,
    find_standing,
    moment_told,
    standing_asked,
)

MOST_READ = 500
"""Most memories that are read for one question: those nearest to it."""

MOST_ANSWERS = 6

NEARLY = 0.7
"""Of the best answer's score: what reaches it may answer as well."""

STANDING_OUT = 4.0
"""Standard deviations above the mean from which on a cosine is as near as can be."""

CHANGED = 0.5
"""What begins or ends something ("I've joined", 改打) counts so much more: it says how things are
from then on, and not only what was done on a day."""

WEIGHED = 0.4
"""How surely what is only weighed ("I'm thinking of another job") or says not which it is ("my job is
dull") tells of its matter."""

RECENT = 0.4
"""What was told last counts so much more where it is asked how things are now."""

SOMEONE = ""
"""Stands for a matter where a question is about a relative and none is known: "Do I have a grandson?"."""


@dataclass(frozen=True, slots=True)
class _Telling:
    """A memory and which of the matters asked about it tells of the right one, each how surely."""

    row: int
    memory: Memory
    told: Mapping[str, float]
    words: str


def find_answers(
    index: ScopeIndex,
    cue: Cue,
    vector: NDArray[np.float32] | None,
    *,
    now: datetime,
    exclude: Collection[str] = (),
    nearest: NDArray[np.int64] | None = None,
) -> list[FoundAnswer]:
    """Find what answers a question, best first; hold the index's lock.

    Of what holds only one at a time (a home, a job) what was told last comes first. Nothing is
    found for what asks about no known matter. Where days are named, what was told on them or
    speaks of them answers. ``nearest`` are rows that a search over all vectors found already; of
    a large memory they and the facts are read, so that it is not searched twice.
    """
    ahead = days_planned_for(cue.message, cue.spans, now.date())
    if ahead is not None and (plans := _plans(index, ahead, exclude)):
        return plans
    asked, standing = asked_matters(cue), standing_asked(cue.message)
    is_of_family = asks_family(cue.message)
    if not (asked or standing or is_of_family or belongings_in(cue.message)):
        return []
    spans = days_asked(cue)
    rows, cosines = rows_read(index, cue, vector, MOST_READ, now, exclude, nearest)
    numbers = rows.tolist()
    memories = list(index.rows.memories.of(numbers))
    texts = [own_words(memory) for memory in memories]
    if is_of_family:
        places = find_family(texts, list(map(moment_told, memories)), MOST_ANSWERS)
        return _outright(places, memories, numbers)
    if standing and not spans:
        places = find_standing(standing, texts, list(map(moment_told, memories)))
        if places:
            return _outright(places, memories, numbers)
    if not spans and asked <= OWN_THINGS and (places := find_of_named(cue.message, texts)):
        return once([FoundAnswer(memories[at], numbers[at], 1.0) for at in places])[:MOST_ANSWERS]
    if not asked:
        return []
    names = [name for name in names_asked(cue.message) if not _names_days(name, spans)]
    named = asked_of(cue.message)
    whom = _whom(cue.message, named, names, texts)
    is_past = asks_past(cue.message) or bool(spans) or bool(named)
    needed = [name for name in names if not name_words((name,)) & whom.called]
    tellings = [
        _Telling(row, memory, told, text)
        for row, memory, text in zip(numbers, memories, texts, strict=True)
        if (told := _matters_told(text, asked, whom, is_past=is_past)) and _has_names(text, needed)
    ]
    tellings, subject = _of_rarest(tellings, asked, cue.message)
    closeness = dict(zip(numbers, _standing_out(cosines, len(rows)), strict=True))
    about = what_else(cue.message, *(asked - {SOMEONE}))
    recency = _recency(tellings) if not is_past else {}
    found = [
        FoundAnswer(
            it.memory,
            it.row,
            _score(it, asked, about) + float(closeness[it.row]) + recency.get(it.row, 0.0),
        )
        for it in tellings
    ]
    found = once(found)
    if named:
        found.sort(key=lambda it: (not _introduces(it.memory, named), -it.score))
        return found[:MOST_ANSWERS]
    return _in_order(found, cue.message, subject, is_of_days=bool(spans))


def _plans(
    index: ScopeIndex, days: tuple[date, date], exclude: Collection[str]
) -> list[FoundAnswer]:
    """What is planned for some days, in their order: the nearest of what is to come."""
    planned = find_planned(index, *days)
    memories = {it.memory.id: it.memory for it in planned if it.memory.id not in exclude}
    found = [FoundAnswer(it, index.row_of[id_], 1.0) for id_, it in memories.items()]
    return found[:MOST_ANSWERS]


def _outright(
    places: Iterable[int], memories: Sequence[Memory], rows: Sequence[int]
) -> list[FoundAnswer]:
    """What answers whatever else is near, in the order of its places."""
    return once([FoundAnswer(memories[at], rows[at], 1.0, is_outright=True) for at in places])


def asks_of_life(cue: Cue) -> bool:
    """True if a message asks about a life, so that more than what lies nearest is read."""
    is_of_many = asks_family(cue.message) or standing_asked(cue.message) is not None
    return is_of_many or bool(asked_matters(cue))


def asked_matters(cue: Cue) -> frozenset[str]:
    """The matters a message asks about."""
    if asked_of(cue.message):
        return frozenset({SOMEONE})
    last = next(reversed(split_sentences(cue.message)), "")
    if not is_question(last) or asks_of_companion(cue.message):
        return frozenset()
    asked = life_matters_asked(cue.message)
    relatives = relatives_in(as_own(cue.message))
    if relatives and asked <= OWN_PEOPLE:  # "Have I any brothers?" asks for whoever is one
        return frozenset({SOMEONE})
    return asked


def life_matters_asked(question: str) -> frozenset[str]:
    """The matters of a life that a question asks about; the name of a film or a boat is none."""
    asked = matters_asked(question)
    is_of_thing = asked == {"name"} and not relatives_in(as_own(question))
    if "language" in asked:
        asked -= {"studies"}  # who asks for a language class asks for no other
    return frozenset() if is_of_thing else asked


def _names_days(name: str, spans: Collection[DateSpan]) -> bool:
    """True if a name is that of a month or a feast, which what was told then need not hold."""
    return any(name.casefold() in span.words.casefold() for span in spans)


def _whom(question: str, named: str, names: Collection[str], texts: Sequence[str]) -> Whom:
    """Whom a question is about; only whoever bears the name where it asks about nothing else."""
    if named and not relatives_in(named):
        return Whom(names=frozenset({fold(named)}))
    return whom_asked(question, names, aliases_of(texts))


def _introduces(memory: Memory, named: str) -> bool:
    """True if a memory tells who somebody is."""
    return introduces(own_words(memory), named)


def names_asked(question: str) -> list[str]:
    """The names in a question that an answer must have, Chinese ones as the dictionary knows them."""
    return [name for name in find_names(question) if not is_chinese(name) or is_proper_name(name)]


def _matters_told(
    text: str, asked: frozenset[str], whom: Whom, *, is_past: bool
) -> dict[str, float]:
    """Which of the matters a text tells of the one who is asked about, each how surely.

    "I used to live in Leeds" does not tell where someone lives.
    """
    told: dict[str, float] = {}
    for it in _names_told(text, whom) if SOMEONE in asked else _places_told(text, asked):
        if is_past or not tells_past(it.sentence):
            surely = _how_surely(whom, it)
            is_vague = tells_weighing(it.sentence) or not says_which(it.matter, it.sentence)
            surely *= WEIGHED if is_vague else 1.0
            told[it.matter] = max(told.get(it.matter, 0.0), surely)
    return {matter: surely for matter, surely in told.items() if surely > 0}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a text tells of a matter: from ``start`` to ``end`` of a sentence, and that before it."""

    matter: str
    sentence: str
    start: int
    end: int
    before: str


def _names_told(text: str, whom: Whom) -> list[_Place]:
    """The sentences of a text that name the one whom a question is all about."""
    return [
        _Place(SOMEONE, sentence, 0, len(sentence), before)
        for sentence, before in telling_sentences(text)
        if whom.is_in(sentence)
    ]


@lru_cache(maxsize=32768)
def _places_told(text: str, asked: frozenset[str]) -> tuple[_Place, ...]:
    """Where a text tells of these matters; kept, since most of hundreds tell of none of them."""
    return tuple(
        _Place(matter, sentence, *place, before)
        for sentence, before in telling_sentences(text)
        for matter in asked
        if (place := where_told(matter, sentence)) is not None
    )


def _how_surely(whom: Whom, place: _Place) -> float:
    """How surely what is told at a place is told of someone, 0 to 1."""
    if whom.is_person:
        is_own = place.matter in OF_ANYONE
        return 1.0 if is_own else person_share(place.sentence, place.start, place.end)
    if whom.is_in(place.sentence):
        return 1.0
    is_going_on = place.matter in OF_ANYONE or speaks_of_another(place.sentence)
    return UNNAMED if is_going_on and whom.is_in(place.before) else 0.0


def _has_names(text: str, names: Sequence[str]) -> bool:
    """True if a text has every name that is asked about: a trip to Iceland is no other trip."""
    plain = text.casefold()
    return all(any(word in plain for word in name_words((name,))) for name in names)


def _of_rarest(
    tellings: Sequence[_Telling], asked: Collection[str], question: str
) -> tuple[list[_Telling], str]:
    """Those that tell what fewest do: who asks what a cat was called asks about a cat.

    What is only known with its object ("favourite", a price) must share a word with the question,
    except where it asks for all there is, or is by now. What is only weighed counts where nothing
    else does.
    """
    subject = min(sorted(asked), key=lambda matter: sum(matter in it.told for it in tellings))
    chosen = [it for it in tellings if subject in it.told]
    if any(it.told[subject] > WEIGHED for it in chosen):
        chosen = [it for it in chosen if it.told[subject] > WEIGHED]
    terms = what_else(question, subject)
    asks_for_all = not terms and (asks_several(question) or asks_now(question))
    is_of_someone = subject == SOMEONE and not asked_of(question)
    if (subject in NEEDS_OBJECT and not asks_for_all) or (is_of_someone and terms):
        chosen = [it for it in chosen if terms & overlap_terms(it.words)]
    return chosen, subject


def what_else(question: str, *matters: str) -> frozenset[str]:
    """What a question asks beside the matters and the relatives in it."""
    question = as_own(question)
    for relative in reversed(relatives_in(question)):
        question = f"{question[: relative.start]} {question[relative.end :]}"
    for matter in matters:
        question = without_asking(question, matter)
    return overlap_terms(question) - _generic_terms()


@cache
def _generic_terms() -> frozenset[str]:
    return overlap_terms(" ".join(generic_words()))


def _score(telling: _Telling, asked: Collection[str], about: frozenset[str]) -> float:
    shared = len(about & overlap_terms(telling.words)) / max(1, len(about))
    changed = CHANGED if tells_change(telling.words) else 0.0
    return sum(telling.told.values()) / len(asked) + shared + changed


def _recency(tellings: Sequence[_Telling]) -> dict[int, float]:
    """What each counts more because it was told late among those that tell of the matter."""
    days = sorted({moment_told(it.memory)[0] for it in tellings})
    return {
        it.row: RECENT * (days.index(moment_told(it.memory)[0]) + 1) / len(days) for it in tellings
    }


def _standing_out(cosines: Numbers | None, size: int) -> Numbers:
    """How far each cosine stands out of all, 0 to 1."""
    if cosines is None or size < 2:
        return np.zeros(size)
    deviation = max(float(cosines.std()), 1e-6)
    above = (cosines - float(cosines.mean())) / deviation
    return np.asarray(np.clip(above / STANDING_OUT, 0.0, 1.0))


def _in_order(
    found: Sequence[FoundAnswer], question: str, subject: str, *, is_of_days: bool
) -> list[FoundAnswer]:
    """What answers a question, by what it asks for: all there is, how it is by now, or the best."""
    is_past = asks_past(question) or is_of_days
    holds_one = subject in LATEST_HOLDS
    if asks_several(question) or (asks_past(question) and not is_of_days and holds_one):
        return sorted(found, key=lambda it: -it.score)[:MOST_ANSWERS]
    if asks_now(question) and not is_past and not holds_one:
        latest = sorted(found, key=lambda it: (moment_told(it.memory)[0], it.score), reverse=True)
        return latest[:MOST_ANSWERS]
    return _ordered(found, is_latest=holds_one and not is_past)


def _ordered(found: Sequence[FoundAnswer], *, is_latest: bool) -> list[FoundAnswer]:
    """The best, and where only one holds at a time the last told of those nearly as good."""
    best = max((it.score for it in found), default=0.0)
    near = [it for it in found if it.score >= NEARLY * best]
    if is_latest:
        near.sort(key=lambda it: (moment_told(it.memory)[0], it.score), reverse=True)
    else:
        near.sort(key=lambda it: (-it.score, it.memory.id))
    return near[:1] if is_latest else near[:MOST_ANSWERS]

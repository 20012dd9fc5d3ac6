"""Answer questions offline: quote the recalled memories in order, without hiding any.

Recall's confidence only changes the words around the quotations. The answer never claims that
nothing was told, since recall may have missed it.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from siliconfriend.dialogue.offline_situation import OfflineReply, Situation
from siliconfriend.language.message import read_message
from siliconfriend.language.sentences import excerpt
from siliconfriend.language.words import content_set, share_of, word_set
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.cue import remove_dates
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.elapsed import last_told
from siliconfriend.recall.results import Recalled
from siliconfriend.recall.times import tokens_of_anything

MOST_QUOTES = 3
"""Maximum number of quotations in an answer."""

MOST_LISTED = 7
"""Maximum number of lines of an answer to a question for everything."""

NEAREST = 5
"""Number of top memories whose later matches by words are quoted too."""

LEAST_LIKELIHOOD = 0.05
"""Minimum likelihood, among many memories, of one that is related by meaning alone."""

MORE_OF_FEW = 0.08
"""Addition to that minimum for a single memory; among few, unrelated ones are more likely too."""

NEAR_BEST = 0.5
"""Share of the best memory's likelihood from which another one is quoted beside it."""

NEAR_CHANGE = 0.44
"""The same share for the state before the change that a question is about."""

MANY = 20
"""Number of turns for which half of that is added."""


def answer_question(situation: Situation) -> OfflineReply:
    """Answer a question with the likely memories, else with the closest ones."""
    return (
        _who_is(situation)
        or _all_about(situation)
        or _likely(situation)
        or _own_story(situation)
        or _said_above(situation)
        or _closest(situation, situation.wordings.say("closest"))
        or situation.say("nothing")
    )


def _who_is(situation: Situation) -> OfflineReply | None:
    """List what was said of somebody over time, if the question asks who they are."""
    asked = content_set(situation.said) if situation.reading.asks_who else frozenset[str]()
    told = [found for found in situation.found if asked <= content_set(own_words(found.memory))]
    if not asked or not told:
        return None
    return situation.list_days(_by_day(situation, _with_chain(situation, told)[:MOST_LISTED]))


def _all_about(situation: Situation) -> OfflineReply | None:
    """List more than a few memories by their days, if the question wants all of them."""
    near = related(situation) if situation.reading.asks_for_all else []
    near = _as_near_as_best(situation, near)[:MOST_LISTED]
    if len(near) <= MOST_QUOTES:
        return None
    lines = _by_day(situation, near)
    if near[0].is_likely:
        return situation.list_days(lines)
    listed = situation.list_days(lines, situation.wordings.say("closest"))
    return replace(listed, certainty="unsure")


def _by_day(situation: Situation, found: Sequence[Recalled]) -> list[tuple[Memory, str]]:
    """Return memories in the order of their days, each with the words of it that matter."""

    def moment(memory: Memory) -> tuple[str, int]:
        return memory.date, getattr(memory, "position", 0)

    memories = sorted((one.memory for one in found), key=moment)
    return [(memory, excerpt(own_words(memory), situation.said)) for memory in memories]


def answer_advice(situation: Situation) -> OfflineReply:
    """Quote related memories, and say that more than that needs a model."""
    told = _likely(situation)
    if not told and situation.act == "advice":
        told = _closest(situation, situation.wordings.say("closest"))
    if not told:
        return situation.say("cannot")
    is_list = any(sentence.startswith("\n") for sentence in told.sentences)
    further = situation.wordings.say("cannot_more")
    return told.with_more(OfflineReply((f"\n{further}" if is_list else further,)))


def repeat_last(situation: Situation) -> OfflineReply | None:
    """Quote the person's last words: in this talk, else on the last day with a talk."""
    if situation.talk:
        words = situation.wordings.quote("just_said", "", excerpt(situation.talk[-1].query))
    elif told := last_told(situation.memory, situation.today):
        words = told.words
    else:
        return None
    return OfflineReply((words,), certainty="sure")


def _likely(situation: Situation) -> OfflineReply | None:
    """Quote the likely memories: the best, then the newest later one, then the rest."""
    told = [found for found in situation.found if not is_only_of_day(situation, found)]
    if not (told and told[0].is_likely):
        return None
    likely = [found for found in told if found.is_likely]
    asked, day = content_set(situation.said), likely[0].memory.date
    beside = [
        found
        for found in situation.found[:NEAREST]
        if found.memory.date > day and asked & content_set(own_words(found.memory))
    ]
    likely = _as_near_as_best(situation, likely)
    best, *others = _with_chain(
        situation, [*likely, *(other for other in beside if other not in likely)]
    )
    later = sorted(
        (other for other in others if other.memory.date > day), key=lambda other: other.memory.date
    )
    before = [other for other in others if other.memory.date <= day]
    chosen = [best, *later[1 - MOST_QUOTES :], *before][:MOST_QUOTES]
    return situation.quote_in_sentences(chosen, "told")


def _as_near_as_best(situation: Situation, found: Sequence[Recalled]) -> list[Recalled]:
    """Return the best memory and those that are nearly as likely or share words of the question."""
    least, said = NEAR_BEST * found[0].likelihood if found else 0.0, situation.said
    # A Chinese name may be too short for a content word.
    words_of = content_set if content_set(said) else word_set
    return [
        other
        for other in found
        if other.likelihood >= least or words_of(said) & words_of(own_words(other.memory))
    ]


def is_only_of_day(situation: Situation, found: Recalled) -> bool:
    """Return True for a memory that shares a day with the message, and no other word.

    False where the day is all that the message names.
    """
    rest = remove_dates(situation.said, situation.spans)
    named = content_set(rest) or word_set(rest) - tokens_of_anything()
    is_of_day = found.parts.get("date", 0.0) > 0
    return is_of_day and bool(named) and not named & content_set(own_words(found.memory))


def _closest(situation: Situation, opening: str) -> OfflineReply | None:
    """Quote the best related memories; None if no memory is related to the question."""
    if not (word_set(situation.said) or situation.spans or situation.talk):
        return None
    if not related(situation):
        return None
    near = _as_near_as_best(situation, situation.found)
    return situation.quote_in_lines(_with_chain(situation, near)[:MOST_QUOTES], opening)


def _with_chain(situation: Situation, found: Sequence[Recalled]) -> list[Recalled]:
    """Place memories of the same matter after the best one: later ones, newest last, or the one before.

    A question about the current state is often more similar to the original statement than to its
    change, and one about the state before it ("Where did I work before?") to the change.
    """
    best, *others = found
    told = {other.memory.id: other for other in situation.found}
    chain = [
        told.get(turn.id) or replace(best, memory=turn, score=0.0, parts={}, is_likely=False)
        for turn in situation.chain(best.memory)
        if turn.date > best.memory.date
    ]
    if not chain:
        changed = (
            other
            for other in situation.found
            if other.memory.date < best.memory.date
            and other.likelihood >= NEAR_CHANGE * best.likelihood
            and any(turn.id == best.memory.id for turn in situation.chain(other.memory))
        )
        chain = [*islice(changed, 1)]
    ids = {best.memory.id, *(other.memory.id for other in chain)}
    return [best, *chain, *(other for other in others if other.memory.id not in ids)]


def related(situation: Situation) -> list[Recalled]:
    """Return the memories that share a word, a name, a day or their meaning with the question.

    The likelihood measures the meaning. At its minimum one never-told question of four has no related
    memory, and two told questions of a hundred.
    """
    turns = sum(len(day.turns) for day in situation.memory.days.values())
    least = LEAST_LIKELIHOOD + MORE_OF_FEW * MANY / (MANY + turns)
    asked = content_set(situation.said)
    if not asked and situation.talk:  # "And from when?" is searched with the question before it
        asked = content_set(situation.talk[-1].query)
    return [
        found
        for found in situation.found
        if found.likelihood >= least
        or found.parts.get("date", 0.0) > 0
        or asked & content_set(own_words(found.memory))
    ]


def _own_story(situation: Situation) -> OfflineReply | None:
    for told in situation.retrieved.own_story:
        if told.is_likely and not isinstance(told.memory, Turn):
            words = excerpt(told.memory.text, situation.said)
            quoted = situation.wordings.quote("own_story", "", words)
            return OfflineReply((quoted,), certainty="sure")
    return None


def _said_above(situation: Situation) -> OfflineReply | None:
    """Quote the nearest unstored words of this conversation, from a chat begun elsewhere."""
    wanted, said = content_set(situation.said), word_set(situation.said)

    def likeness(words: str) -> int:
        # A Chinese noun may be too short for a content word (船): most words count too.
        shares_most = bool(said) and share_of(said, word_set(words)) > 0.5
        return len(wanted & content_set(words)) + shares_most

    told = [words for words in situation.unkept if read_message(words).tells_something]
    words = max(reversed(told), default="", key=likeness)
    if not likeness(words):
        return None
    quoted = situation.wordings.quote("above", "", excerpt(words, situation.said))
    return OfflineReply((quoted,), certainty="sure")

"""Compare two facts, and merge facts that a model reports as duplicates.

Compared facts are marked, so each is sent to a model once. Merged facts refer to the kept one, and
become valid again if it is erased.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal, NamedTuple

from siliconfriend.extraction.extractor import SINGLE_VALUED
from siliconfriend.extraction.model_extractor import deduplication_schema, numbered_facts
from siliconfriend.extraction.support import unsupported_names
from siliconfriend.language.characters import fold, language_of
from siliconfriend.language.numbers import figures_told
from siliconfriend.language.words import content_words, jaccard, share_of, word_set
from siliconfriend.memory.changes import Change, PutDerived
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import BY_PERSON, Fact, kept_evidence
from siliconfriend.memory.records import PersonMemory
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.prompts.loader import Prompts

AnyFact = Fact | FactDraft

Relation = Literal["same", "contradictory", "unrelated"]
"""The relation of two facts; ``contradictory``: only one of them can hold."""

SHARED_WORDS = 0.8
"""Minimum Jaccard similarity of words for two sentences of one language to be duplicates."""
MIN_UNCHECKED = 20
"""Minimum number of unchecked facts for a model call, to limit calls."""
MAX_SHOWN = 60
"""Facts in one call."""

_NEGATIVE = re.compile(
    r"n't\b|\b(?:not|never|no|without|dislikes?|hates?|can't|cannot|detests?|stopped|quit)\b"
    r"|[不没无别]|讨厌|戒",
    re.IGNORECASE,
)


_COMPARING = re.compile(
    r"\b(?:than|rather|prefers?|instead)\b|[比于]|不如|胜过|超过|更喜欢|宁可|宁愿", re.IGNORECASE
)
"""Matches comparatives, in which word order carries meaning."""


def compare(newer: AnyFact, older: AnyFact) -> Relation:
    """Compare two facts: by kind and value where both have them, else by their sentences.

    Sentences must agree in figures, names, negation and most words.
    """
    if newer.entity_type != older.entity_type or not is_same_entity(newer.entity, older.entity):
        return "unrelated"
    if newer.kind and older.kind:
        if newer.kind != older.kind:
            return "unrelated"
        if newer.value and fold(newer.value) == fold(older.value):
            return "same"
        return "contradictory" if newer.kind in SINGLE_VALUED else "unrelated"
    return "same" if _is_same_sentence(newer, older) else "unrelated"


def is_about_same(fact: AnyFact, draft: AnyFact) -> bool:
    """Return True if two facts about the same entity concern the same matter."""
    if fact.kind and draft.kind:
        return fact.kind == draft.kind
    words = _words_without(f"{fact.text} {fact.key_word}", fact.entity)
    return bool(words & _words_without(f"{draft.text} {draft.key_word}", draft.entity))


def is_same_entity(one: str, other: str) -> bool:
    """Return True if two names are the same but for letter case and width."""
    return fold(one) == fold(other)


def _words_without(text: str, *names: str) -> frozenset[str]:
    return word_set(text) - word_set(*names)


def _is_negated(text: str) -> bool:
    return _NEGATIVE.search(text) is not None


def _is_same_sentence(one: AnyFact, other: AnyFact) -> bool:
    if fold(one.text) == fold(other.text):
        return True
    words = _words_without(one.text, one.entity)
    return (
        one.aspect == other.aspect
        and jaccard(words, _words_without(other.text, other.entity)) >= SHARED_WORDS
        and _figures_agree(one.text, other.text)
        and not _is_turned_round(one.text, other.text)
    )


def _is_turned_round(one: str, other: str) -> bool:
    """Return True if two comparisons name their sides in opposite order."""
    if not (_COMPARING.search(one) and _COMPARING.search(other)):
        return False
    words, others = (list(dict.fromkeys(content_words(text))) for text in (one, other))
    return [word for word in words if word in others] != [word for word in others if word in words]


def _figures_agree(one: str, other: str) -> bool:
    """True if two texts have the same figures, names and negation."""
    return (
        figures_told(one) == figures_told(other)
        and not unsupported_names(one, other)
        and not unsupported_names(other, one)
        and _is_negated(one) == _is_negated(other)
    )


class DuplicateFacts(NamedTuple):
    """Two or more duplicate facts, and the sentence that replaces them."""

    facts: tuple[Fact, ...]
    text: str


def unchecked_facts(memory: PersonMemory) -> list[Fact]:
    """Return the active facts not yet compared with the others, oldest first."""
    active = (fact for fact in memory.facts() if fact.is_active)
    return [fact for fact in active if not fact.merged and fact.entity_type != "subject"]


def facts_to_compare(memory: PersonMemory) -> list[Fact]:
    """Return unchecked facts and the older ones about the same entities, as many as fit in a call."""
    fresh = unchecked_facts(memory)[:MAX_SHOWN]
    about = {fold(fact.entity) for fact in fresh}
    merged = (fact for fact in memory.facts() if fact.is_active and fact.merged)
    older = [fact for fact in merged if fold(fact.entity) in about]
    older.sort(key=lambda fact: fact.last, reverse=True)
    return [*fresh, *older[: MAX_SHOWN - len(fresh)]]


def find_duplicates(
    chat: CompletionModel, prompts: Prompts, person: str, facts: Sequence[Fact]
) -> list[DuplicateFacts]:
    """Ask a model for duplicates, and keep the groups whose sentence preserves their content.

    If a sentence loses or adds a number or name, the group is kept only if its newest fact has all
    of them.
    Errors as :meth:`CompletionModel.complete`.
    """
    if len(facts) < 2:
        return []
    prompt = prompts.render("merge_facts", person=person, facts=numbered_facts(facts))
    data = chat.complete([Message("user", prompt)], deduplication_schema(len(facts))).data
    found: list[DuplicateFacts] = []
    used: set[int] = set()
    for raw in data["groups"]:
        members = sorted(set(raw["numbers"]) - used)
        group = _valid_group([facts[number - 1] for number in members], raw["text"])
        if group is not None:
            used.update(members)
            found.append(group)
    return found


def merge_duplicates(
    memory: PersonMemory, groups: Sequence[DuplicateFacts], compared: Sequence[Fact]
) -> Iterator[Change]:
    """Merge each group into one fact and mark compared facts, except changed ones.

    The fact that the person corrected is kept, else the oldest.
    """
    settled: set[str] = set()
    for group in groups:
        settled.update(fact.id for fact in group.facts)
        if not all(memory.find(fact.id) == fact for fact in group.facts):
            continue
        survivor = min(group.facts, key=_rank)
        yield PutDerived(_merge_group(survivor, group))
        for fact in group.facts:
            if fact.id != survivor.id:
                yield PutDerived(replace(fact, superseded_by=survivor.id, merged=True))
    for fact in compared:
        if fact.id not in settled and not fact.merged and memory.find(fact.id) == fact:
            yield PutDerived(replace(fact, merged=True))


def _valid_group(facts: Sequence[Fact], words: str) -> DuplicateFacts | None:
    kinds = {(fold(fact.entity), fact.entity_type) for fact in facts}
    if len(facts) < 2 or len(kinds) != 1 or len({_is_negated(fact.text) for fact in facts}) != 1:
        return None
    if any(compare(one, other) == "contradictory" for one, other in combinations(facts, 2)):
        return None
    newest = max(facts, key=lambda fact: (fact.last, fact.date, fact.position)).text
    if _keeps_all(words, facts):
        return DuplicateFacts(tuple(facts), words)
    if all(_figures_agree(newest, fact.text) and _covers(newest, fact) for fact in facts):
        return DuplicateFacts(tuple(facts), newest)
    return None


def _keeps_all(words: str, facts: Sequence[Fact]) -> bool:
    """True if a sentence has the same figures and names as the facts, and most words."""
    told = "\n".join(fact.text for fact in facts)
    return (
        bool(words)
        and figures_told(words) == figures_told(told)
        and not unsupported_names(words, told)
        and _is_negated(words) == _is_negated(facts[0].text)
        and all(not unsupported_names(fact.text, words) and _covers(words, fact) for fact in facts)
    )


def _covers(words: str, fact: Fact) -> bool:
    """True if words cover at least half of a fact; always True across languages."""
    if language_of(words) != language_of(fact.text):
        return True
    return share_of(_words_without(fact.text, fact.entity), word_set(words)) >= 0.5


def _rank(fact: Fact) -> tuple[bool, str, str, int]:
    return fact.provenance.made_by != BY_PERSON, fact.first, fact.date, fact.position


def _merge_group(survivor: Fact, group: DuplicateFacts) -> Fact:
    text = survivor.text if survivor.provenance.made_by == BY_PERSON else group.text
    # The evidence of the kept words comes first: of many turns some in the middle are left out.
    in_order = sorted(group.facts, key=lambda fact: fact.text != text)
    sources = kept_evidence(source for fact in in_order for source in fact.provenance.from_ids)
    return replace(
        survivor,
        text=text,
        provenance=replace(survivor.provenance, from_ids=sources),
        first=min(fact.first for fact in group.facts),
        last=max(fact.last for fact in group.facts),
        merged=True,
    )

"""Learn an embedder's thresholds from questions and talks, and measure them on others.

A cut is learned on every other person and talk and measured on the rest. Questions: the
lowest evidence with which a question found anything of the person it belongs to, lowered a
little for those nobody asked yet. Remarks: the evidence that all but one in a hundred of
the memories have which belong to a talk and which ranking found for it; for a twentieth is the
most that may be lost on talks that were not learned from. What is taken off a remark is the mean of all messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from siliconfriend.dialogue.chat_history import to_utterances
from siliconfriend.evaluation.bench import Bench
from siliconfriend.evaluation.datasets import Question, bank_questions, match_people
from siliconfriend.evaluation.probing import ratio
from siliconfriend.evaluation.talk import Talk, TalkFile
from siliconfriend.language.characters import is_chinese, language_of
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.candidate_set import CandidateSet, Numbers, find_candidates
from siliconfriend.recall.cue import Utterance, build_cue
from siliconfriend.recall.cue_vectors import Vector, cue_vectors
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index_files import IndexFiles
from siliconfriend.recall.index_pool import IndexPool
from siliconfriend.recall.recipes import recipe_named
from siliconfriend.recall.relevance_threshold import COVERAGE, Cuts, RelevanceThreshold, coverage
from siliconfriend.recall.thresholds import family_threshold
from siliconfriend.recall.time_spans import WEEK
from siliconfriend.texts import LANGUAGES, Language

Kind = Literal["question", "remark"]
Pair = Literal["english", "chinese", "across"]

PAIRS: tuple[Pair, ...] = ("english", "chinese", "across")

FOUND = 5
"""Ranking has found a memory of a talk that is among its first so many."""

LOST = 1 / 100
"""So many of the memories that ranking found in a talk may lie below the cut."""

LOWERED = 0.2
"""A cut lies below the lowest question by this share of the way from the median to the lowest."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The best evidence there was, by whether something should have been found.

    Attributes:
        own: of what belongs to the message, one number for each that ranking found.
        foreign: the best in the memory of somebody else.
    """

    own: list[float] = field(default_factory=list)
    foreign: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ThresholdResult:
    """The results of one cut: a row of the table.

    Attributes:
        kind, pair: of message, and the two languages.
        cut: the least evidence.
        learned, measured: on the half it was learned on, and on the other.
    """

    kind: Kind
    pair: Pair
    cut: float
    learned: Evidence
    measured: Evidence

    def to_json(self) -> dict[str, Any]:
        """Serialize it as the command prints it; a share of nothing is null."""
        return {
            "kind": self.kind,
            "pair": self.pair,
            "cut": round(self.cut, 4),
            **{
                half: {"kept": self.kept(evidence), "refused": self.refused(evidence)}
                for half, evidence in (("learned", self.learned), ("measured", self.measured))
            },
        }

    def kept(self, evidence: Evidence) -> float | None:
        """The share of what belongs to a message that passes the cut."""
        return ratio(sum(it >= self.cut for it in evidence.own), len(evidence.own))

    def refused(self, evidence: Evidence) -> float | None:
        """The share of other people's memories in which nothing passes it."""
        return ratio(sum(it < self.cut for it in evidence.foreign), len(evidence.foreign))


def learn_thresholds(
    bench: Bench,
    people: Sequence[Sequence[Scope]],
    questions: Sequence[Sequence[Question]],
    talks: Sequence[TalkFile],
) -> tuple[RelevanceThreshold, list[ThresholdResult]]:
    """Learn the thresholds of the bench's embedder.

    Args:
        bench: holds the people.
        people: of each bank, in its order; the same people in other languages.
        questions: of each file; each is asked of every bank.
        talks: of each file; those of the same memories are read against each other.

    Returns:
        The thresholds, and what each cut keeps and refuses.
    """
    embedder = bench.runtime.embedder
    assert embedder is not None, "words alone have no thresholds to learn"
    usual = _usual_messages(bench, embedder, people, talks)
    gathered = _Gathered(bench, usual)
    for scopes in people:
        for of_file in questions:
            gathered.ask(scopes, of_file)
    strangers = [scopes[number] for scopes in people for number in range(len(scopes))]
    gathered.read_talks(talks, strangers)
    family = family_threshold(embedder)
    cuts: dict[Kind, Cuts] = {
        "question": _learn(family.question, "question", gathered, _question_cut),
        "remark": _learn(family.remark, "remark", gathered, _remark_cut),
    }
    results = [
        ThresholdResult(
            kind,
            pair,
            getattr(cuts[kind], pair),
            gathered.of(kind, pair),
            gathered.of(kind, pair, learning=False),
        )
        for kind in cuts
        for pair in PAIRS
    ]
    return RelevanceThreshold(cuts["question"], cuts["remark"], usual), results


def _learn(family: Cuts, kind: Kind, gathered: _Gathered, cut: Callable[[Evidence], float]) -> Cuts:
    """Learn a kind's cuts; a pair that no file was about keeps that of the embedder's family."""
    evidence = {pair: gathered.of(kind, pair) for pair in PAIRS}
    return replace(family, **{pair: cut(it) for pair, it in evidence.items() if it.own})


def _question_cut(evidence: Evidence) -> float:
    """A little below the lowest evidence of the questions that can be answered, in hundredths.

    One question more moves it by that much: further decimals would say nothing.
    """
    own = np.array(evidence.own)
    lowest = float(own.min())
    return round(lowest - LOWERED * (float(np.median(own)) - lowest), 2)


def _remark_cut(evidence: Evidence) -> float:
    """The evidence that all but a few of the memories have that ranking found."""
    return float(np.quantile(np.array(evidence.own), LOST, method="lower"))


def _usual_messages(
    bench: Bench,
    embedder: Embedder,
    people: Sequence[Sequence[Scope]],
    talks: Sequence[TalkFile],
) -> Mapping[Language, Vector]:
    """The mean vector of the learning half's messages, by their language; zeros of none."""
    said = [
        turn.query
        for scopes in people
        for scope in scopes[::2]
        for turn in bench.store.load(scope).turns()
    ]
    for file in talks:
        for talk in file.talks[::2]:
            said += [talk.message, *(it.text for it in to_utterances(talk.history))]
    usual: dict[Language, Vector] = {}
    for language in LANGUAGES:
        texts = [text for text in dict.fromkeys(said) if language_of(text) == language]
        vectors = embedder.queries(texts)
        usual[language] = (
            vectors.mean(axis=0) if texts else np.zeros(embedder.dimension, np.float32)
        )
    return usual


class _Gathered:
    """Evidence by kind of message, languages and half."""

    def __init__(self, bench: Bench, usual: Mapping[Language, Vector]) -> None:
        self._bench = bench
        self._usual = usual
        self._indexes = IndexPool(bench.runtime.embedder, IndexFiles())
        self._evidence: dict[tuple[Kind, Pair, bool], Evidence] = {}

    def of(self, kind: Kind, pair: Pair, *, learning: bool = True) -> Evidence:
        """The evidence of one half, which grows while it is gathered."""
        return self._evidence.setdefault((kind, pair, learning), Evidence())

    def ask(self, scopes: Sequence[Scope], questions: Sequence[Question]) -> None:
        """Ask each question of the person it belongs to, and of all others of the bank."""
        memories = {scope: self._bench.store.load(scope) for scope in scopes}
        for asked in bank_questions(questions, match_people(questions, scopes), memories):
            if not asked.evidence:
                continue
            learning = scopes.index(asked.scope) % 2 == 0
            for scope in scopes:
                found, evidence = self._evidence_in(scope, asked.question.text, ())
                if found.talk is not None or (found.date_match >= WEEK).any():
                    continue  # it is read as a remark, or names a day, which passes by itself
                there = self.of("question", _pair(asked.question.text, found), learning=learning)
                side = there.own if scope == asked.scope else there.foreign
                side.append(float(evidence.max()))

    def read_talks(self, files: Sequence[TalkFile], strangers: Sequence[Scope]) -> None:
        """Read each talk against the same person's memories in every file, and strangers'."""
        imported = [self._import(file, number) for number, file in enumerate(files)]
        for file in files:
            for number, talk in enumerate(file.talks):
                for message, history in ((talk, to_utterances(talk.history)), (talk, [])):
                    self._read(message, history, imported, strangers, learning=number % 2 == 0)

    def _import(self, file: TalkFile, number: int) -> tuple[Scope, Mapping[str, str]]:
        """Import the memories; their scope, and the id in the file of each id in the store."""
        scope, ids = self._bench.import_turns(
            f"{file.user} {number}",
            [*file.memories.values()],
            language=file.language,
            timezone=self._bench.runtime.settings.timezone,
        )
        return scope, dict(zip(ids, file.memories, strict=True))

    def _read(
        self,
        talk: Talk,
        history: Sequence[Utterance],
        imported: Iterable[tuple[Scope, Mapping[str, str]]],
        strangers: Iterable[Scope],
        *,
        learning: bool,
    ) -> None:
        """Note what belongs to a talk among the first that ranking finds, and strangers' best."""
        for scope, names in imported:
            found, evidence = self._evidence_in(scope, talk.message, history)
            if found.talk is None:
                return  # it asks for something that was told
            there = self.of("remark", _pair(talk.message, found), learning=learning)
            scores = sum(recipe_named("siliconfriend").score(found).values(), np.zeros(len(found)))
            first = np.argsort(-scores, kind="stable")[:FOUND]
            there.own.extend(
                float(evidence[at])
                for at in first
                if names.get(found.memories[at].id) in talk.relevant
            )
        for scope in strangers:
            found, evidence = self._evidence_in(scope, talk.message, history)
            there = self.of("remark", _pair(talk.message, found), learning=learning)
            there.foreign.append(float(evidence.max()))

    def _evidence_in(
        self, scope: Scope, message: str, talk: Sequence[Utterance]
    ) -> tuple[CandidateSet, Numbers]:
        """All candidates in somebody's memory, and what speaks for each."""
        index, runtime = self._indexes.get(scope), self._bench.runtime
        memory: PersonMemory = self._bench.store.load(scope)
        now = self._bench.question_time(memory)
        with index.lock:
            index.sync(memory)
            cue = build_cue(
                message, memory, now=now, talk=talk, frequency=index.word_index.frequency
            )
            vectors = cue_vectors(cue, runtime.embedder, self._usual)
            found = find_candidates(index, cue, vectors, now=now, policy=runtime.policy)
            near = found.dense if found.talk is None else found.talk
            return found, near + COVERAGE * coverage(found)


def _pair(message: str, found: CandidateSet) -> Pair:
    """The languages of a message and of most of what was found."""
    asked, told = is_chinese(message), bool(found.is_chinese.mean() > 0.5)
    if asked != told:
        return "across"
    return "chinese" if asked else "english"

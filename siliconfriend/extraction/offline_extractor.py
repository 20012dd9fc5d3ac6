"""Extract facts without a model, from set phrases alone.

The phrases are data (``texts/*/extraction.toml``): my name, where I live, what I do, "X is my Y",
"my X is called Y". A phrase counts where the person speaks plainly of themselves: at the beginning
of a sentence, or after another such phrase. Questions, doubts, quotations and messages about a
story, a song or a game are skipped.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from siliconfriend.extraction.extractor import Extracted, Known, Subject
from siliconfriend.extraction.queue import Batch
from siliconfriend.language.characters import HAN, fold, language_of
from siliconfriend.language.message import PersonText
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import segmenter
from siliconfriend.language.word_lists import any_of, generic_words, matches, stop_words
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import OFFLINE
from siliconfriend.memory.records import Turn
from siliconfriend.texts import Language, lookup, text

LONGEST_WORDS = 5
"""Maximum words of an English value; longer ones are rarely a single thing."""

_NAME: dict[Language, str] = {
    "en": r"(?-i:[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,3})",
    "cn": rf"(?:[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?|[{HAN}·]{{2,3}})",
}
_VALUE: dict[Language, str] = {
    "en": r"[^.,;:!?()\n]{2,60}?",
    "cn": r"[^，,。！!；;：:、（）\n]{2,12}?",
}
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|(?<!\w)'[^']{4,}'(?!\w)")
_RELATION = "relation"


class OfflineExtractor:
    """Extracts by set phrases."""

    made_by = OFFLINE

    def extract(self, subject: Subject, batch: Batch, known: Sequence[Known]) -> Extracted:
        """Extract the facts of a batch, skipping role-play."""
        turns = (turn for turn in batch.turns if turn.id not in batch.role_play)
        return Extracted(facts=tuple(draft for turn in turns for draft in _facts(subject, turn)))


def _facts(subject: Subject, turn: Turn) -> Iterator[FactDraft]:
    """Extract the facts stated in one turn, each kind and value once."""
    seen: set[tuple[str, str]] = set()
    if matches("extraction", "fiction", fold(turn.query)):
        return
    for sentence in split_sentences(turn.query):
        language = language_of(sentence, subject.language)
        said = _QUOTED.sub(" ", sentence.replace("’", "'"))
        doubts = any(pattern.search(said) for pattern in _patterns("doubtful", language))
        if PersonText(sentence).ends_as_question or doubts:
            continue
        for kind, found in _plain_phrases(said, language):
            draft = _draft(kind, found, subject, turn, language)
            if draft is not None and (draft.kind, fold(draft.value)) not in seen:
                seen.add((draft.kind, fold(draft.value)))
                yield draft


def _plain_phrases(said: str, language: Language) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the set phrases that begin a sentence, or follow each other from its beginning."""
    every = [
        (kind, found)
        for kind in lookup("extraction", "phrases", language)
        for pattern in _patterns(f"phrases.{kind}", language)
        for found in pattern.finditer(said)
    ]
    end = 0
    for kind, found in sorted(every, key=lambda match: (match[1].start(), -match[1].end())):
        before = said[end : found.start()] if found.start() >= end else ""
        if any(pattern.fullmatch(before) for pattern in _patterns("openers", language)):
            yield kind, found
            end = max(end, found.end())


def _draft(
    kind: str, found: re.Match[str], subject: Subject, turn: Turn, language: Language
) -> FactDraft | None:
    """Draft the fact of a match; None if its value or name is invalid."""
    parts = {name: (part or "").strip() for name, part in found.groupdict().items()}
    value, noun = parts["value"], fold(parts.get("noun", ""))
    is_name = kind in ("name", _RELATION)
    if not _is_value(value, is_name=is_name, language=language):
        return None
    if fold(value) == fold(subject.companion) or (noun and not _is_noun(noun, language)):
        return None
    values = {"person": subject.person, "value": value, "noun": noun, "how": parts.get("how", "")}
    return FactDraft(
        text=text("extraction", f"told.{kind}", language, **values),
        turns=(turn.id,),
        entity=subject.person,
        entity_type="object",
        aspect="relation" if kind == _RELATION else "attribute",
        key_word=value,
        kind=noun or kind,
        value=value,
    )


def _is_value(value: str, *, is_name: bool, language: Language) -> bool:
    """Return True if a value is one thing, and for a name something that can be one."""
    if not value or len(value.split()) > LONGEST_WORDS:
        return False
    if any(pattern.match(value) for pattern in _patterns("no_value", language)):
        return False
    if is_name and language == "cn" and not value.isascii():
        return not any(kind.startswith("v") for _, kind in segmenter().tag(value))
    return not is_name or fold(value.split()[0]) not in stop_words() | generic_words()


def _is_noun(word: str, language: Language) -> bool:
    """Return True if a word can be a relative, a friend, a pet or a thing that has a name."""
    if language == "en":
        return word not in stop_words()
    return all(kind.startswith(("n", "m", "q", "a", "j")) for _, kind in segmenter().tag(word))


@cache
def _patterns(key: str, language: Language) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a key in any letter case, with what KIN, NAME and VALUE stand for."""
    stands = {
        "KIN": any_of(lookup("extraction", "kin", language)),
        "NAME": _NAME[language],
        "VALUE": _VALUE[language],
    }
    return tuple(
        re.compile(re.sub("KIN|NAME|VALUE", lambda found: stands[found[0]], pattern), re.IGNORECASE)
        for pattern in lookup("extraction", key, language)
    )

"""Find what a person wished not to be mentioned, in what might be said unasked."""

from collections.abc import Sequence

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.tokenizer import surface_forms
from siliconfriend.language.word_lists import matches, word_pattern
from siliconfriend.language.words import content_set
from siliconfriend.memory.days import standing_wishes
from siliconfriend.memory.records import PersonMemory


def silenced_names(memory: PersonMemory, said: str) -> tuple[str, ...]:
    """Return silenced names, except those in the message itself."""
    names = {
        name
        for asked, _ in standing_wishes(memory)
        if asked.act == "silence"
        for name in names_of(object_of(asked.words))
    }
    return tuple(name for name in sorted(names) if not speaks_of(said, (name,)))


def names_of(what: str) -> list[str]:
    """Return the name or the matter that the words of a wish end with, else all of them.

    "my ex Dave" is about Dave; "Dave's exam" is about an exam of his alone.
    """
    if is_chinese(what):
        words = [word for word in surface_forms(what) if len(word) > 1]
        return words[-1:] or [what]
    words = what.split()
    return words[-1:] if words and words[-1][:1].isupper() else [what]


def speaks_of(words: str, names: Sequence[str]) -> bool:
    """Return True if words hold one of some names, or all content words of a matter."""
    plain = fold(words)
    said = content_set(words) if not all(map(is_chinese, names)) else frozenset[str]()
    return any(
        fold(name) in plain if is_chinese(name) else (content_set(name) or {name}) <= said
        for name in names
        if name
    )


def object_of(message: str) -> str:
    """Return the words of a wish that name its target."""
    words = word_pattern("message", "wishes.frame").sub(" ", message.replace("’", "'"))
    parts = (part.strip(" .,;:!?\"'“”‘’「」《》。，；：！？") for part in words.split())
    what = " ".join(part for part in parts if part)
    return "" if matches("message", "wishes.nothing_named", fold(what)) else what

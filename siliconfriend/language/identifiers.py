"""Compare addresses, numbers and names whole, however they are written.

``alice at acme dot io`` is ``alice@acme.io``, which is neither ``alice.smith@acme.io`` nor
``alice@acme.io.uk``; ``(415) 555-0100`` is ``415 5550100``.
"""

import re
from functools import lru_cache

from siliconfriend.language.characters import chinese_runs, is_chinese, skeleton

_DOT = r"(?:\.(?=\w)|\s*[(\[{<]\s*(?:dot|\.|点)\s*[)\]}>]\s*|\s+dot\s+|\s*点\s*)"
_AT = r"(?:@|\s*[(\[{<]\s*(?:at|@|艾特)\s*[)\]}>]\s*|\s+at\s+|\s*艾特\s*)"
_PART = r"[a-z0-9][a-z0-9_+-]*"
_ADDRESS = re.compile(
    rf"(?<![a-z0-9_.+-])({_PART}(?:{_DOT}{_PART})*){_AT}({_PART}(?:{_DOT}{_PART})+)(?![a-z0-9_+-])(?!{_AT})"
)
_DOTS = re.compile(_DOT)
_DIGIT_WORDS = (
    *("zero|oh|零|〇", "one|一|幺", "two|二", "three|三", "four|四", "five|五", "six|六"),
    *("seven|七", "eight|八", "nine|九"),
)
_DIGITS = {
    word: str(digit) for digit, words in enumerate(_DIGIT_WORDS) for word in words.split("|")
}
_SPOKEN = re.compile(
    r"\b(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b[ ,-]*){4,}"
    r"|[零〇一幺二三四五六七八九]{4,}"
)
_SPOKEN_DIGIT = re.compile("|".join(sorted(_DIGITS, key=len, reverse=True)))
_NUMBER = re.compile(r"(?<![\w.])\+?\(?\d(?:[ ().\-/]{0,2}\d){3,}(?!\w)", re.ASCII)
_MARKED = re.compile(r"\w+(?:[._@:/#+-]+\w+)+")

SHORTEST_NUMBER = 4
"""Minimum digits of a number that is compared without spaces, hyphens and brackets."""


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Return a text in plain lower-case letters, with addresses and numbers in one form."""
    plain = skeleton(text)
    plain = _SPOKEN.sub(lambda found: f"{_spoken(found[0])} ", plain)
    plain = _ADDRESS.sub(
        lambda found: "@".join(_DOTS.sub(".", part) for part in found.groups()), plain
    )
    return _NUMBER.sub(lambda found: "".join(filter(str.isdigit, found[0])), plain)


def _spoken(words: str) -> str:
    return "".join(_DIGITS[digit] for digit in _SPOKEN_DIGIT.findall(words))


def find_identifiers(query: str) -> tuple[str, ...]:
    """Return the addresses, numbers and marked names (``room-12``) of a query, in plain form."""
    words = (word.strip(".,;:!?()[]{}\"'<>") for word in _plain(query).split())
    return tuple(
        word
        for word in words
        if (word.isdecimal() and len(word) >= SHORTEST_NUMBER)
        or (word.isascii() and _MARKED.fullmatch(word))
    )


def has_identifiers(text: str, identifiers: tuple[str, ...]) -> bool:
    """Return True if a text holds each of these identifiers whole."""
    plain = _plain(text)
    whole = (rf"(?<![\w@.+-]){re.escape(word)}(?![\w@+-]|\.\w)" for word in identifiers)
    return all(re.search(pattern, plain, re.ASCII) for pattern in whole)


def stands_alone(name: str, text: str) -> bool:
    """Return True if a name occurs outside a longer joined name."""
    whole = re.escape(skeleton(name))
    return re.search(rf"(?<![\w@])(?<!\w[-.]){whole}(?!\w|[-@]\w|\.\w)", skeleton(text)) is not None


_WORD = re.compile(r"[^\W\d_]+")
LONGEST_NAME = 4
"""Maximum words, or Chinese characters, of a name in another script."""


def is_named_in_another_script(name: str, text: str) -> bool:
    """Return True if a text holds a name as another script writes it: 李娜 for "Li Na".

    Homophones in the same script are other names: 章伟 is not 张伟.
    """
    if is_chinese(name):
        return len(name) <= LONGEST_NAME and _latin(name) in _latin_names(text)
    is_name = all(word[:1].isupper() for word in name.split()) and not any(map(str.isdigit, name))
    return bool(name) and is_name and _latin(name) in _foreign_names(text)


@lru_cache(maxsize=4096)
def _latin_names(text: str) -> frozenset[str]:
    """Return candidate names from words in Latin letters, in plain letters and joined."""
    return _joined([_latin(word) for word in _WORD.findall(text) if not is_chinese(word)])


@lru_cache(maxsize=4096)
def _foreign_names(text: str) -> frozenset[str]:
    """Return candidate names from words in other letters."""
    if text.isascii():
        return frozenset()
    runs = chinese_runs(text)
    parts = {
        _latin(run[at : at + length])
        for run in runs
        for length in range(2, LONGEST_NAME + 1)
        for at in range(len(run) - length + 1)
    }
    words = _WORD.findall(text)
    foreign = [_latin(word) for word in words if not (word.isascii() or is_chinese(word))]
    return (
        _joined(foreign)
        | _joined(
            [_latin(word) for word in words if not is_chinese(word)], with_one_of=frozenset(foreign)
        )
        | parts
    )


def _joined(words: list[str], with_one_of: frozenset[str] | None = None) -> frozenset[str]:
    """Join each run of words; ``with_one_of`` filters runs that contain one of these."""
    rows = (
        words[at : at + length]
        for length in range(1, LONGEST_NAME + 1)
        for at in range(len(words) - length + 1)
    )
    return frozenset(
        "".join(row) for row in rows if with_one_of is None or not with_one_of.isdisjoint(row)
    )


def _latin(words: str) -> str:
    """Write words in plain Latin letters, in lower case, without spaces and with ü as u."""
    from anyascii import anyascii

    plain = "".join(filter(str.isalpha, anyascii(words).lower()))
    return re.sub(r"([aou])e", r"\1", plain)

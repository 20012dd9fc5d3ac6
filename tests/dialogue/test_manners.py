"""What the program itself says neither flatters, nor claims to be human, nor holds anybody back."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from siliconfriend.texts import LANGUAGES, Language, sentences

FLATTERS = re.compile(
    r"\b(amazing|awesome|brilliant|clever|fantastic|genius|great question|impressive|incredible|"
    r"perfect|proud of you|smart|so true|wonderful|you are (so )?right|you're (so )?right)\b"
    r"|了不起|优秀|佩服|厉害|好问题|完美|崇拜|聪明|说得对|真棒|太棒",
    re.I,
)
CLAIMS = re.compile(
    r"\b(as a (human|person|man|woman)|i am (a )?(human|real person)|my (body|childhood|family|parents))\b"
    r"|我是(真)?人(?!工)|我的(身体|童年|家人|父母)|我小时候",
    re.I,
)
HOLDS_BACK = re.compile(
    r"\b(do not|don't|dont) (go|leave)\b|\b(please stay|stay a (little|bit|while)|miss you|without you|"
    r"lonely|so soon already|leaving me)\b"
    r"|别走|不要走|留下来|再陪|想你|舍不得|孤单|丢下我",
    re.I,
)


def worded(language: Language) -> Iterator[str]:
    """Every wording of a reply without a model."""
    yield from _strings(sentences("offline", language)["says"])


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _strings(inner)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "pattern", [FLATTERS, CLAIMS, HOLDS_BACK], ids=["flatters", "claims to be human", "holds back"]
)
def test_no_wording(language: Language, pattern: re.Pattern[str]) -> None:
    """In either language; all of them are tried."""
    wordings = list(worded(language))
    assert len(wordings) > 50
    assert [wording for wording in wordings if pattern.search(wording)] == []

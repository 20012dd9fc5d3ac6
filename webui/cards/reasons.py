"""Why a memory came to mind, as a sentence; the numbers that it is made of are folded below.

A score of nine parts tells a person nothing. What a person can check is which of them mattered:
the same words, a near meaning, the day that was asked about.
"""

from __future__ import annotations

from siliconfriend.memory.used import Used
from siliconfriend.texts import Language, area

from ..words.labels import say
from ..words.markup import plain
from ..words.phrases import tell

COUNTS = 0.25
"""A part is named where it comes to this share of the greatest."""
MOST_NAMED = 3


def reason(used: Used, language: Language) -> str:
    """Return why a memory was given to a reply, in a sentence."""
    told = area("web_panels", language)["why"]["parts"]
    parts = sorted(used.parts.items(), key=lambda it: -it[1])
    most = parts[0][1] if parts else 0.0
    named = [told[name] for name, value in parts if name in told and 0 < COUNTS * most <= value]
    if not named:
        return tell("why.unknown", language)
    comma, last = tell("why.comma", language), tell("why.last", language)
    first, *rest = named[:MOST_NAMED]
    reasons = comma.join([first, *rest[:-1]]) + (last + rest[-1] if rest else "")
    return tell("why.because", language, reasons=reasons)


def why(used: Used | None, language: Language) -> str:
    """Return the sentence as HTML, with the numbers folded; nothing where no reply used it."""
    if used is None:
        return ""
    names = area("web", language)["parts"]
    parts = "".join(
        f"<tr><td>{plain(names.get(name, name))}</td><td>{value:.3f}</td></tr>"
        for name, value in used.parts.items()
    )
    score = f"<p>{plain(say('score', language, score=f'{used.score:.3f}'))}</p>"
    summary = plain(tell("why.numbers", language))
    return (
        f'<p class="sf-quiet sf-why">{plain(reason(used, language))}</p>'
        f"<details><summary>{summary}</summary>{score}<table>{parts}</table></details>"
    )

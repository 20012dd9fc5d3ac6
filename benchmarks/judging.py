"""Measure how well a model judges sentences that were written from a talk.

``python benchmarks/judging.py [TALKS]`` asks the model of the settings about the first so many talks
of ``judging.toml`` in each language, one request a talk, and prints the shares of right and of wrong
sentences that it confirms. Nights keep what it confirms.
"""

import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from siliconfriend.config import load_settings
from siliconfriend.errors import UsageError
from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.judge import Claim, judge_claims
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.records import Turn
from siliconfriend.models.base import CompletionModel
from siliconfriend.models.factory import open_chat_model
from siliconfriend.prompts.loader import Prompts
from siliconfriend.texts import LANGUAGES

TALKS = Path(__file__).with_suffix(".toml")


def confirmed(chat: CompletionModel, talk: Mapping[str, Any]) -> tuple[list[bool], list[bool]]:
    """Return which right and which wrong sentences of a talk a model confirms.

    It reads them in the order of the alphabet.
    """
    companion = "硅友" if talk["language"] == "cn" else "SiliconFriend"
    subject = Subject(talk["person"], companion, talk["language"])
    said = [talk.get("before", ""), *talk["turns"]]
    before, *turns = (_turn(at, words, talk) for at, words in enumerate(said))
    sentences = sorted((*talk["right"], *talk["wrong"]))
    claims = [Claim(words, tuple(turns)) for words in sentences]
    around = [before] if before.query else []
    verdicts = judge_claims(chat, Prompts(talk["language"]), subject, claims, around)
    found = dict(zip(sentences, verdicts, strict=True))
    right, wrong = ([found[words] for words in talk[name]] for name in ("right", "wrong"))
    return right, wrong


def _turn(position: int, words: str, talk: Mapping[str, Any]) -> Turn:
    query, _, response = (part.strip() for part in words.partition("|"))
    moment = datetime.combine(talk["day"], time(19, position), UTC)
    place: Any = {"id": f"turn-{talk['day']}-{position}", "date": str(talk["day"])}
    return Turn(
        **place, position=position, query=query, response=response, time=moment, trace=Trace(moment)
    )


def measure(
    chat: CompletionModel, talks: Iterable[Mapping[str, Any]]
) -> Counter[tuple[bool, bool]]:
    """Count sentences by whether they hold and whether the model confirms them."""
    counted = Counter[tuple[bool, bool]]()
    for talk in talks:
        for holds, found in zip((True, False), confirmed(chat, talk), strict=True):
            counted.update((holds, is_confirmed) for is_confirmed in found)
    return counted


def main() -> None:
    """Measure the model of the settings, and print the shares."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else None
    if (chat := open_chat_model(load_settings(), somebody_waits=False)) is None:
        raise UsageError("needs_model")
    talks = tomllib.loads(TALKS.read_text("utf-8"))["talk"]
    for language in LANGUAGES:
        counted = measure(chat, [talk for talk in talks if talk["language"] == language][:most])
        for holds, name in ((True, "right"), (False, "wrong")):
            kept, lost = counted[holds, True], counted[holds, False]
            print(f"{language}: of {kept + lost} {name} sentences {kept} confirmed")


if __name__ == "__main__":
    main()

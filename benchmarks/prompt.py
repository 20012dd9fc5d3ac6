"""Measure the prompts of a talk of eight messages, and their common beginnings.

The sample people, whose life does not fit whole, are talked with by a model that records what it is
sent. The goals: a first prompt of 2,300 tokens at most, two thirds of the context at most, and .85 of the
characters unchanged. ``python benchmarks/prompt.py [--context 8192] [--show]``.
"""

import argparse
import json
import tempfile
from datetime import date, datetime, timedelta
from itertools import pairwise, repeat, takewhile
from pathlib import Path
from typing import Any

from siliconfriend.clock import FixedClock
from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.import_export import import_bank
from siliconfriend.models.tokens import estimate_message_tokens
from siliconfriend.person.companions import read_sample, shift_dates
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel

NOW = datetime.fromisoformat("2026-07-10T18:00:00+00:00")
SAID: dict[str, tuple[str, ...]] = {
    "en": (
        "Hello, I'm back from work.",
        "Which book did you recommend to me?",
        "I slept badly. Somebody shouted at me on the phone today.",
        "What should I tell my sister when I call her tonight?",
        "And when do Dad and I fly?",
        "Did my brother like the concert?",
        "I think I will knit something for Theo.",
        "Good night.",
    ),
    "cn": (
        "我下班回来了。",
        "你推荐过我哪本书？",
        "昨晚没睡好，今天又被领导说了一顿。",
        "今晚给外婆打电话，说点什么好？",
        "她年轻时在哪儿上班来着？",
        "我哥喜欢那场演唱会吗？",
        "我想给大鹏修一台收音机。",
        "晚安。",
    ),
}
ANSWERS = {
    "en": "That sounds like a long day, and I am glad that you tell me of it. What would do you "
    "good now: to talk it through, or to leave it where it is for tonight?",
    "cn": "听起来这一天挺长的，你愿意跟我说说，我很高兴。现在你是想好好聊一聊，还是先把它放在一边，让自己歇一会儿？",
}


def talk(language: Any, model: ScriptedChatModel) -> None:
    """Hold the talk."""
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings(
            home=Path(home), environ={}, embedding="bundled", timezone="UTC", language=language
        )
        clock = MovingClock(NOW)
        runtime = Runtime(settings, clock, chat=model)
        name, person = read_sample(language)
        person = shift_dates(person, date(2026, 7, 9))
        import_bank(
            runtime.store,
            json.dumps({name: person}).encode(),
            language=language,
            zone=settings.zone,
            now=FixedClock(NOW - timedelta(days=1)).now(settings.zone),
        )
        friend = Companion(name, runtime=runtime)
        for words in SAID[language]:
            friend.reply(words)
            clock.move(minutes=2)
        runtime.close()


def _same(one: str, other: str) -> int:
    """Count the characters of the common beginning of two prompts."""
    both = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda marks: marks[0] == marks[1], both))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=int, default=8192)
    parser.add_argument("--show", action="store_true")
    chosen = parser.parse_args()
    for language in SAID:
        model = ScriptedChatModel(repeat(ANSWERS[language], 100), context_tokens=chosen.context)
        talk(language, model)
        prompts = ["\0".join(f"{one.role}:{one.content}" for one in call) for call in model.calls]
        same = [0, *(_same(*two) for two in pairwise(prompts))]
        print(f"{language}: message, tokens (estimated), characters, unchanged")
        for number, prompt in enumerate(prompts):
            tokens = estimate_message_tokens(model.calls[number])
            print(f"  {number + 1} {tokens:6} {len(prompt):7} {same[number] / len(prompt):8.2f}")
        print(f"  unchanged in all: {sum(same) / sum(map(len, prompts[1:])):.3f}")
        if chosen.show:
            print("\n".join(f"--- {said.role}\n{said.content}" for said in model.calls[-1]))


if __name__ == "__main__":
    main()

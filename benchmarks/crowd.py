"""What a life of everyday turns costs the probing questions of one person.

Each person of a bank is asked their questions with the bank alone, and again among as many
everyday turns (meals, work, sleep, weather, shops) as are asked for, told over the years before;
it prints the share of questions whose evidence is recalled within the first turns.
The goal: at 50,000 turns no share at 6 lower by more than 0.03. Everyday turns are put together
from sentences of which there are a thousand or so, so that each is embedded once:
``python benchmarks/crowd.py BANK QUESTIONS [--turns N] [--vectors FILE] [--write PAGE]``.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from siliconfriend.config import load_settings
from siliconfriend.evaluation.bench import Bench, open_bench
from siliconfriend.evaluation.datasets import (
    Question,
    language_of_questions,
    match_people,
    read_json,
    read_questions,
)
from siliconfriend.evaluation.probing import evaluate_probing
from siliconfriend.evaluation.results_page import write_section
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.recipes import RECIPES
from siliconfriend.texts import Language

DEPTHS = (1, 3, 6)
TURNS_A_DAY = 20
GAP_DAYS = 3
"""Between the everyday days and those of the bank, so that no turn takes another's place."""

MATTERS: dict[Language, tuple[Sequence[str], Sequence[str], Sequence[str]]] = {
    "en": (
        ("This morning", "After lunch", "Tonight", "On the way home", "Before work", "Just now"),
        (
            "I cooked lentils", "I had soup", "I ate too much bread", "I tried a new tea",
            "I cleaned the windows", "I watered the plants", "I waited for the bus",
            "I answered old mail", "I sat in a long meeting", "I finished a report",
            "I slept badly", "I went for a run", "I read a few pages", "I watched a film",
            "I called a colleague", "I met a neighbour", "I looked for my glasses",
            "I bought socks", "I fixed the tap", "I listened to music", "I played a game",
            "I thought about the weekend", "I planned a trip", "I felt a bit lonely",
            "I talked with a friend", "I learned a few words", "I wrote down some ideas",
            "I practised the guitar", "I argued about money", "I helped with homework",
        ),
        ("and it rained.", "and felt better.", "as always.", "and was late.", "and laughed.",
         "with little hope."),
    ),
    "cn": (
        ("今天早上", "午饭以后", "今晚", "回家路上", "上班之前", "刚才"),
        (
            "我煮了扁豆", "我喝了碗汤", "我面包吃多了", "我试了一种新茶", "我擦了窗户",
            "我给花浇了水", "我等公交车", "我回了些旧邮件", "我开了个长会", "我写完了报告",
            "我没睡好", "我出去跑了步", "我看了几页书", "我看了一部电影", "我给同事打了电话",
            "我碰见了邻居", "我到处找眼镜", "我买了袜子", "我修了水龙头", "我听了会儿音乐",
            "我玩了会儿游戏", "我在想周末的事", "我计划了一次旅行", "我觉得有点孤单",
            "我跟朋友聊了天", "我学了几个单词", "我记下了一些想法", "我练了吉他",
            "我为钱吵了架", "我帮孩子做了作业",
        ),
        ("，外面下着雨。", "，心情好多了。", "，跟平时一样。", "，结果迟到了。", "，笑了半天。",
         "，没抱什么希望。"),
    ),
}  # fmt: skip


def everyday_words(language: Language) -> list[str]:
    """All sentences that can be put together, 1,080 of them."""
    gap = " " if language == "en" else ""
    parts = itertools.product(*MATTERS[language])
    return [f"{when}{gap}{what}{gap}{end}" for when, what, end in parts]


def everyday_turns(scope: Scope, language: Language, count: int, first: date) -> Iterator[Turn]:
    """So many turns, twenty a day, told on the days before those of the bank."""
    words = everyday_words(language)
    for number in range(count):
        at, position = divmod(number, TURNS_A_DAY)
        day = first - timedelta(days=GAP_DAYS + at)
        said = datetime.combine(day, time(8 + position // 2), tzinfo=UTC)
        yield Turn(
            id=memory_id(scope, "turn", day.isoformat(), position),
            date=day.isoformat(),
            position=position,
            query=words[number * 7 % len(words)],
            response="",
            time=said,
            trace=Trace(said),
            origin="import",
        )


def hits(bench: Bench, scope: Scope, asked: Sequence[Question], now: datetime) -> Counter[int]:
    """How many of a person's questions have their evidence within each depth."""
    bench = replace(bench, now=now)
    (row,) = evaluate_probing(bench, [scope], asked, ["siliconfriend"], ks=DEPTHS)
    for missed in row.misses:
        print(f"{scope.person}: not within {max(DEPTHS)}: {missed.text}", flush=True)
    return Counter({**row.hits, 0: row.questions})


def crowd(bench: Bench, scope: Scope, language: Language, turns: int) -> None:
    """Tell a person's everyday turns around what the bank has of them."""
    told = min(
        date.fromisoformat(day.date) for day in bench.store.load(scope).days.values() if day.turns
    )
    everyday = everyday_turns(scope, language, turns, told)
    with bench.store.edit(scope) as edit:
        edit.add(*map(PutTurn, everyday))


def line(found: Counter[int]) -> str:
    return "   ".join(f"at {k} {found[k] / found[0]:.3f}" for k in DEPTHS)


def run(bank: Path, file: Path, turns: int, vectors: Path | None) -> list[tuple[str, Counter[int]]]:
    """The hits with the bank alone and among the everyday turns."""
    questions = read_questions(file)
    language = language_of_questions(questions)
    alone, among = Counter[int](), Counter[int]()
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings(home=home, environ={}, timezone="UTC", language=language)
        with open_bench(settings, vectors=vectors) as bench:
            people = bench.import_bank(read_json(bank))
            asked: dict[Scope, list[Question]] = {}
            for question in questions:
                scope = match_people(questions, people)[question.user]
                asked.setdefault(scope, []).append(question)
            for scope, own in asked.items():
                now = bench.question_time(bench.store.load(scope))
                alone += hits(bench, scope, own, now)
                crowd(bench, scope, language, turns)
                among += hits(bench, scope, own, now)
                print(
                    f"{scope.person}: so far alone {line(alone)}   among {line(among)}", flush=True
                )
    return [("alone", alone), (f"among {turns:,}", among)]


def section(bank: Path, file: Path, turns: int, rows: list[tuple[str, Counter[int]]]) -> str:
    """What the page says of a run."""
    command = f"python benchmarks/crowd.py {bank.name} {file.name} --turns {turns}"
    head = "".join(f" hit at {k} |" for k in DEPTHS)
    lines = [
        f"## One person's {turns:,} turns ({file.stem})",
        "",
        f"Command: `{command}`",
        "",
        f"| a person's bank | questions |{head}",
        "| --- | ---: |" + " ---: |" * len(DEPTHS),
    ]
    for name, found in rows:
        shares = "".join(f" {found[k] / found[0]:.2f} ({found[k]}) |" for k in DEPTHS)
        lines.append(f"| {name} | {found[0]} |{shares}")
    return "\n".join(lines)


def main(bank: Path, file: Path, turns: int, vectors: Path | None, page: Path | None) -> None:
    rows = run(bank, file, turns, vectors)
    for name, found in rows:
        print(f"{name:20} {line(found)}")
    if page is not None:
        write_section(
            page,
            f"crowd {bank.stem} {file.stem}",
            section(bank, file, turns, rows),
            language="en",
            recipes={name: recipe.score for name, recipe in RECIPES.items()},
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("bank", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--turns", type=int, default=50_000)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--write", type=Path, help="put the shares into this page")
    arguments = parser.parse_args()
    main(arguments.bank, arguments.questions, arguments.turns, arguments.vectors, arguments.write)

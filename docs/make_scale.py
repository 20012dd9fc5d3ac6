"""Write docs/scale.md and docs/cn/scale.md: what 1, 10 and 100 million people would need.

What was measured comes from ``docs/scale.json`` (``benchmarks/scale.py``); what nobody here can
measure is an assumption, named below with its number. Change one and run this again:
``python docs/make_scale.py``.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
MEASURED = DOCS / "scale.json"
SIZES = (1_000_000, 10_000_000, 100_000_000)
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What is taken for granted; the words of each stand in :data:`WORDS`."""

    active: float = 0.30
    messages: float = 20.0
    busiest_hour: float = 0.12
    embedding_seconds: float = 0.030
    texts: float = 2.5
    night_seconds: float = 0.10
    night_hours: float = 6.0
    busy: float = 0.50
    cores: float = 16.0
    machine_price: float = 500.0
    disk_terabytes: float = 8.0
    commits: float = 5_000.0
    commits_a_reply: float = 3.0
    standby: float = 2.0
    years: float = 2.0


WORDS = {
    "active": ("of all people talk on a given day", "的人在某一天会说话"),
    "messages": ("messages a day, of each who talks", "条消息，说话的人每人每天"),
    "busiest_hour": (
        "of a day's messages fall into its busiest hour",
        "的消息落在一天最忙的一小时",
    ),
    "embedding_seconds": (
        "s of a core to embed a text ([benchmarks.md](benchmarks.md): 25 to 35 ms)",
        "秒单核时间算一段话的向量（[benchmarks.md](../benchmarks.md)：25 到 35 毫秒）",
    ),
    "texts": (
        "texts embedded a message: it, what is kept of it, and the night's",
        "段话要算向量，每条消息：它自己、记下的、夜里写的",
    ),
    "night_seconds": (
        "s of a core for the night of a day that was talked on, without a model",
        "秒单核时间，给有谈话的一天做夜里的整理，不算模型",
    ),
    "night_hours": (
        "hours in which the nights of one region are done",
        "小时内做完一个地区的夜里整理",
    ),
    "busy": (
        "of a machine's processor is used at most in the busiest hour",
        "的处理器，最忙时也不超过",
    ),
    "cores": ("cores a machine", "个核，每台机器"),
    "machine_price": (
        "a month for such a machine, in dollars: put in your own",
        "美元一个月，每台这样的机器：换成你自己的价",
    ),
    "disk_terabytes": (
        "TB of fast disk that one database machine holds",
        "TB 快速磁盘，每台数据库机器",
    ),
    "commits": (
        "durable commits a second of one database machine",
        "次落盘提交，每台数据库机器每秒",
    ),
    "commits_a_reply": (
        "commits a reply: the message, the reply, what was strengthened",
        "次提交，每次回答：消息、回答、加强的记忆",
    ),
    "standby": (
        "machines for each database: one that works and one that stands by",
        "台机器，每个数据库：一台工作，一台备用",
    ),
    "years": ("years of talk are to fit", "年的谈话要放得下"),
}


@dataclass(frozen=True, slots=True)
class Need:
    """What so many people need.

    Attributes:
        people: how many.
        replies: a second in the busiest hour.
        front: machines for page and API, embedding among them.
        workers: machines for nights.
        shards: databases, by whichever of disk, commits and processor is short first.
        terabytes: of all databases, without standbys.
        month: dollars a month.
        by_disk, by_commits, by_processor: how many databases each of these alone would need.
    """

    people: int
    replies: float
    front: int
    workers: int
    shards: int
    terabytes: float
    month: float
    by_disk: float
    by_commits: float
    by_processor: float


def bytes_a_year(measured: dict[str, Any], assumed: Assumptions) -> float:
    """Bytes that a year of one person takes, of all people on average."""
    crowd = measured["crowds"][str(max(map(int, measured["crowds"])))]
    memories = assumed.active * assumed.messages * 365 * crowd["memories"] / crowd["turns"]
    return float(memories * measured["size"]["bytes_a_memory"])


def need(people: int, measured: dict[str, Any], assumed: Assumptions) -> Need:
    """What so many people need."""
    talked = people * assumed.active * assumed.messages
    replies = talked * assumed.busiest_hour / 3600
    reply = measured["processor_seconds"]["reply"]
    a_core = assumed.busy * assumed.cores
    front = math.ceil(
        replies * (reply["program"] + assumed.embedding_seconds * assumed.texts) / a_core
    )
    nights = people * assumed.active * assumed.night_seconds
    workers = math.ceil(nights / (assumed.night_hours * 3600) / a_core)
    size = people * bytes_a_year(measured, assumed) * assumed.years / 1e12
    by_disk = size / assumed.disk_terabytes
    by_commits = replies * assumed.commits_a_reply / assumed.commits
    by_processor = replies * reply["server"] / a_core
    shards = math.ceil(max(by_disk, by_commits, by_processor))
    machines = front + workers + shards * assumed.standby
    month = machines * assumed.machine_price
    parts = (by_disk, by_commits, by_processor)
    return Need(people, replies, front, workers, shards, size, month, *parts)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _measured_rows(it: dict[str, Any], at: int) -> list[list[str]]:
    """What was measured, in English (0) or Chinese (1)."""
    reply, spent, wal = it["reply"], it["processor_seconds"], it["wal_bytes"]
    shared = it["shared_seconds"]
    notices = it["notices"]
    rows: list[tuple[tuple[str, str], str]] = [
        (
            (
                "a reply of a process that knows the person, at 10,000 people against 10",
                "回答一次（进程已打开此人），一万人与十人之比",
            ),
            f"{reply['warm_ratio']:.2f} ({reply['warm_seconds']['10000'] * 1000:.0f} / {reply['warm_seconds']['10'] * 1000:.0f} ms)",
        ),
        (
            (
                "the first reply of a process to a person, at 10,000 people against 10",
                "进程第一次回答某人，一万人与十人之比",
            ),
            f"{reply['cold_ratio']:.2f} ({reply['cold_seconds']['10000'] * 1000:.0f} / {reply['cold_seconds']['10'] * 1000:.0f} ms)",
        ),
    ]
    acts = {
        "append": ("an append", "追加一条"),
        "recall": ("a recall", "回忆一次"),
        "reply": ("a reply", "回答一次"),
        "first_reply": ("a first reply", "第一次回答某人"),
    }
    for name, words in acts.items():
        milliseconds = (spent[name]["program"] * 1000, spent[name]["server"] * 1000)
        note = ("processor time of program and server, ms: ", "程序和数据库的处理器时间，毫秒：")
        rows.append(
            ((note[0] + words[0], note[1] + words[1]), "{:.1f} + {:.1f}".format(*milliseconds))
        )
    rates = {
        "appends_a_second": ("appends a second with 1, 2, 4 processes", "每秒追加，1、2、4 个进程"),
        "recalls_a_second": ("recalls a second, of people who are open", "每秒回忆，已打开的人"),
        "first_recalls_a_second": (
            "recalls a second, each of somebody else",
            "每秒回忆，每次换一个人",
        ),
        "replies_a_second": ("replies a second, of people who are open", "每秒回答，已打开的人"),
    }
    for name, words in rates.items():
        rows.append((words, ", ".join(f"{it[name][key]:.0f}" for key in ("1", "2", "4"))))
    rows += [
        (("bytes a memory, with its index", "每条记忆的字节，连索引"), f"{it['size']['bytes_a_memory']:,.0f}"),
        (("of these what finds it (can be made again)", "其中用来找它的（可以重做）"), f"{_index_share(it):.0%}"),
        (("bytes of write-ahead log: an append, a reply", "预写日志字节：追加、回答"), f"{wal['append']:,.0f}, {wal['reply']:,.0f}"),
        (("a session, a key, a try to log in looked up, ms", "查一次会话、密钥、登录次数，毫秒"), ", ".join(f"{shared[key] * 1000:.2f}" for key in ("session", "key", "try_to_log_in"))),
        (("what stands of 1,000 open talks, asked each second, ms", "一千个打开的谈话每秒问一次，毫秒"), f"{shared['states_of_1000_talks'] * 1000:.0f}"),
        (("transactions a second of 8 processes, without and with a notice each", "8 个进程每秒事务，不带与带通知"), f"{notices['without']['8']:,.0f}, {notices['with']['8']:,.0f}"),
        (("processor time of listing 10,000 and 1,000,000 people, s", "列出一万人、一百万人的处理器时间，秒"), ", ".join(f"{value:.2f}" for value in it["listing_seconds"].values())),
    ]  # fmt: skip
    return [[words[at], figure] for words, figure in rows]


def _index_share(it: dict[str, Any]) -> float:
    tables: dict[str, float] = it["size"]["by_table"]
    found = sum(size for name, size in tables.items() if name.startswith("index_"))
    return found / sum(tables.values())


def page(measured: dict[str, Any], at: int, assumed: Assumptions | None = None) -> str:
    """The page in English (0) or Chinese (1)."""
    assumed = assumed or Assumptions()
    words = json.loads((DOCS / "scale_words.json").read_text("utf-8"))[("en", "cn")[at]]
    crowd = measured["crowds"][str(max(map(int, measured["crowds"])))]
    needs = [need(people, measured, assumed) for people in SIZES]
    year = bytes_a_year(measured, assumed)
    values = {
        "memories": f"{crowd['memories']:,}",
        "load": " / ".join(f"{it:.0f}" for it in measured["load"]),
        "cores": str(measured["machine"]["cores"]),
        "megabytes_a_year": f"{year / 1e6:.0f}",
        "megabytes_active": f"{year / assumed.active / 1e6:.0f}",
        "index_share": f"{_index_share(measured):.0%}",
        "listing": f"{list(measured['listing_seconds'].values())[-1]:.1f}",
        "first": f"{needs[0].by_disk:.1f}, {needs[0].by_commits:.2f}, {needs[0].by_processor:.2f}",
        "log_a_day": f"{SIZES[0] * assumed.active * assumed.messages * measured['wal_bytes']['reply'] / 1e9:.0f}",
        "measured": _table(words["measured_head"], _measured_rows(measured, at)),
        "assumed": _table(
            words["assumed_head"],
            [[_number(getattr(assumed, it.name)), WORDS[it.name][at]] for it in fields(assumed)],
        ),
        "needs": _table(
            words["needs_head"],
            [
                [
                    f"{it.people:,}",
                    _number(it.replies),
                    _number(it.front),
                    _number(it.workers),
                    _number(it.shards),
                    _number(it.terabytes),
                    f"{it.month:,.0f}",
                    f"{it.month / it.people:.4f}",
                ]
                for it in needs
            ],
        ),
    }
    text = "\n\n".join(words["parts"])
    for name, value in values.items():
        text = text.replace(f"<{name}>", value)
    return text + "\n"


if __name__ == "__main__":
    document = json.loads(MEASURED.read_text("utf-8"))
    (DOCS / "scale.md").write_text(page(document, 0), "utf-8")
    (DOCS / "cn" / "scale.md").write_text(page(document, 1), "utf-8")

"""Page, terminal, MCP and nights write to one person's memory at once, each in its own process.

The terminal is ``siliconfriend chat``, the MCP client talks to ``siliconfriend mcp``, and the page
is this process, with a thread for each tab. Nights follow one another until the others end. The
turns are spread over days: an external change of a day of thousands of turns is expensive to read.
The suite runs some dozen operations (``test_at_once.py``), ``tests.long.at_once`` 1,200.
"""

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import anyio

from siliconfriend.config import Settings, load_settings
from siliconfriend.memory.file_store import FileStore
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.documents import documents_of, searched_text
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.control.world import NORA, World
from tests.embedding import WordEmbedder
from tests.night.world import night_of
from tests.recall.people import indexed
from tests.server.mcp_talking import call, environment, over_stdio

ROOT = Path(__file__).parents[1]
TABS = 2
A_DAY = 100
"""Operations of each of them on a day; the terminal is opened anew for each."""
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu")
FIRST = date(2026, 3, 2)
LATER = datetime(2026, 5, 31, tzinfo=UTC)
TODAY = datetime(2026, 3, 14, tzinfo=UTC)
"""The day of the MCP server's clock."""


def words(who: str, number: int) -> str:
    """Return a message with a number, without a date."""
    return f"I planted {name(who, number)} beans."


def name(who: str, number: int) -> str:
    """Spell a number in letters, since digits would be separate words."""
    return who + "".join(SYLLABLES[int(digit)] for digit in str(number)) + "x"


def moment(number: int, count: int) -> datetime:
    """Return the moment of an operation; the last of ``count`` is today."""
    return TODAY - timedelta(days=(count - 1) // A_DAY - number // A_DAY)


def settings_of(home: Path) -> Settings:
    """Offline, found by words alone."""
    return load_settings(home=str(home), embedding="none", timezone="UTC")


def everyone(home: Path, count: int) -> dict[str, int]:
    """Run all of them with ``count`` operations each; return the acknowledged operations of each."""
    nights = _start(home, "tests.at_once", str(home))
    parts = {"terminal": _terminal, "mcp": _mcp, "page": page}
    with ThreadPoolExecutor() as threads:
        work = {name: threads.submit(part, home, count) for name, part in parts.items()}
    said, _ = nights.communicate("\n")
    assert nights.returncode == 0
    return {name: done.result() for name, done in work.items()} | {"nights": int(said)}


def _start(home: Path, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=environment(home),
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def _terminal(home: Path, count: int) -> int:
    """Type one line after the other, in a process for each day."""
    for first in range(0, count, A_DAY):
        typed = [
            words("terminal", number) + "\n" for number in range(first, min(count, first + A_DAY))
        ]
        now = moment(first, count).isoformat()
        process = _start(home, "siliconfriend", "--now", now, "chat", "--user", "Nora")
        process.communicate("".join(typed))
        assert process.returncode == 0
    return count


def _mcp(home: Path, count: int) -> int:
    """Add memories over MCP, and search for every tenth."""

    async def talk() -> None:
        async with over_stdio(home, "--user", "Nora") as client:
            for number in range(count):
                said, at = words("mcp", number), moment(number, count).isoformat()
                given = {"user_input": said, "agent_response": "I see.", "timestamp": at}
                assert (await call(client, "add_memory", **given))["status"] == "success"
                if number % 10 == 9:
                    assert said in json.dumps(await call(client, "retrieve_memory", query=said))

    anyio.run(talk)
    return count


def page(home: Path, count: int) -> int:
    """Talk in several tabs at once, like the page; return the number of complete replies."""
    from webui.replies import LiveTalk, TalkEntry

    clock = MovingClock(moment(0, count))
    bank = MemoryBank(settings=settings_of(home), clock=clock)
    talk = LiveTalk(bank.runtime.scope("Nora"), lambda: bank, bank.runtime.installation)
    changed, ends = threading.Condition(), list[str]()

    def wake() -> None:
        with changed:
            changed.notify_all()

    def say(tab: int) -> None:
        for number in range(tab, count, TABS):
            clock.set(max(clock.moment, moment(number, count)))
            said = TalkEntry(f"{tab}-{number}", words("page", number), tab=str(tab))
            talk.say(said)
            with changed:
                while said.state in ("waiting", "running"):
                    assert changed.wait(60)
            ends.append(said.state)

    talk.wakers.add(wake)
    with ThreadPoolExecutor(TABS) as threads:
        list(threads.map(say, range(TABS)))
    talk.close()
    talk.keep(60)
    return ends.count("whole")


def nights(home: Path) -> int:
    """Run nights, with pauses of the same length, until a line comes in; return their number."""
    over = threading.Event()

    def end() -> None:
        sys.stdin.readline()
        over.set()

    threading.Thread(target=end, daemon=True).start()
    number = 0
    while not (number and over.is_set()):
        began = time.monotonic()
        runtime = Runtime(settings_of(home), MovingClock(TODAY))
        if runtime.store.scopes():
            assert night_of(runtime, today=True).exit_code == 0
            number += 1
        over.wait(max(0.2, time.monotonic() - began))
    return number


def index_at_once(home: Path, threads: int, each: int) -> int:
    """Write, search and rebuild one index in several threads; return how many texts were not found.

    Each thread searches for its own texts at once, by words and by meaning.
    """
    runtime = Runtime(settings_of(home), embedder=WordEmbedder())
    world = World(runtime.store, runtime.settings)
    recaller, missed = runtime.recaller, []

    def work(thread: int) -> None:
        for number in range(each):
            day = FIRST + timedelta(days=number // 25)
            text = f"{words('seed', number)} {name('hand', thread)}"
            said = world.say(text, on=day.isoformat())
            found = recaller.recall(NORA, text, now=LATER, top=3)
            if said not in [recalled.memory.id for recalled in found.memories]:
                missed.append(said)
            if number % 25 == 24:
                recaller.update_index(NORA)

    with ThreadPoolExecutor(threads) as workers:
        list(workers.map(work, range(threads)))
    memory = runtime.store.load(NORA)
    assert sum(1 for _ in memory.turns()) == threads * each
    recaller.update_index(NORA)
    assert indexed(recaller) == threads * each
    for turn in memory.turns():
        found = recaller.recall(NORA, turn.query, now=LATER, top=3)
        if turn.id not in [one.memory.id for one in found.memories]:
            missed.append(turn.id)
    return len(missed)


def compare(home: Path, told: dict[str, int], sample: int = 1) -> int:
    """Compare the acknowledged texts with the memory; return how many were found by a search.

    ``told`` is the result of :func:`everyone`; one in ``sample`` texts is searched for.
    """
    runtime = Runtime(settings_of(home))
    expected = {
        words(who, number) for who in ("terminal", "mcp", "page") for number in range(told[who])
    }
    turns = list(FileStore(home).load(NORA).turns())
    assert len(turns) == len(expected)
    assert {turn.query for turn in turns} == expected
    assert len({(turn.date, turn.position) for turn in turns}) == len(turns)
    memory = FileStore(home).load(NORA)
    documents = [document.memory for day in memory.days.values() for document in documents_of(day)]
    searchable = [one for one in documents if not one.trace.archived]
    looked = turns[::sample]
    now = max(turn.time for turn in turns if turn.time is not None)
    runtime.recaller.update_index(NORA)
    assert indexed(runtime.recaller) == len(searchable)
    for turn in looked:
        # Where the night made an event of it in the same words, that one stands for it.
        result = runtime.recaller.recall(NORA, turn.query, now=now, top=3)
        found = [searched_text(each.memory) for each in result.memories]
        assert any(turn.query.removesuffix(".") in one for one in found), (
            turn.query,
            found,
        )
    return len(looked)


if __name__ == "__main__":
    print(nights(Path(sys.argv[1])))

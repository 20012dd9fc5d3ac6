"""Two processes of the page over one database, as behind a proxy."""

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any

import pytest

from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.postgres_server import PostgresServer
from tests.webui.conftest import Open, Tab
from webui.talk import follow

pytestmark = pytest.mark.slow

ASKED = "Which colour was it?"
OTHER_PROCESS = f"""
import sys, threading
from siliconfriend.config import load_settings
from siliconfriend.memory.scope import Scope
from siliconfriend.testing import MovingClock, ScriptedChatModel
from webui.backend import Backend
from webui.replies import TalkEntry

def speak(_messages):
    yield "Half of "
    print("begun", flush=True)
    threading.Event().wait()

home, store, now = sys.argv[1:]
settings = load_settings(home=home, environ={{}}, embedding="none", store=store)
model = ScriptedChatModel(otherwise=speak)
backend = Backend(settings, MovingClock(now), model, log_in=False)
backend.talk(Scope.of("Ada")).say(TalkEntry("key", "{ASKED}"))
threading.Event().wait()
"""


@pytest.fixture
def store(postgres_server: PostgresServer, database_name: str) -> str:
    """The address of a new database."""
    return postgres_server.address(database_name)


def test_what_is_said_at_one_page_is_seen_at_the_other(open_tab: Open, store: str) -> None:
    here, there = (
        open_tab(ScriptedChatModel(otherwise=lambda _: "In Porto."), store=store) for _ in range(2)
    )
    here.say("Hello")
    assert there.said() == [("Hello", "In Porto.", "whole")]

    async def hear() -> None:
        told: Any = follow(there.visit, "t", 40, "")
        async with aclosing(told) as events:
            await anext(events)
            await asyncio.to_thread(here.say, "And the boat?")
            async for event in events:
                if "And the boat?" in str(event.data):
                    return

    with ThreadPoolExecutor(1) as pool:  # in this thread the loop of a browser may run
        pool.submit(lambda: asyncio.run(asyncio.wait_for(hear(), 60))).result()


def test_a_reply_of_a_page_that_is_killed_goes_on_at_the_other(
    open_tab: Open, store: str, clock: MovingClock
) -> None:
    """The message is shown as running until the lease of the dead process ends; then it is asked again."""
    tab: Tab = open_tab(ScriptedChatModel(["Blue."]), store=store)
    given = [str(tab.backend.settings.home), store, clock.moment.isoformat()]
    words = [sys.executable, "-c", OTHER_PROCESS, *given]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.kill()
    assert tab.said() == [(ASKED, "", "running")]
    tab.backend.installation.tables.change("UPDATE lease SET until = until - 10")
    (line,) = tab.lines()
    assert line.state == "unanswered"
    tab.say("", id=line.id)
    assert tab.said() == [(ASKED, "Blue.", "whole")]

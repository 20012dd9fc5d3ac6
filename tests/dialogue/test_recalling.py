"""What a message brings to mind in a talk, beyond what a recall alone shows."""

from __future__ import annotations

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.file_store import FileStore
from siliconfriend.testing import MovingClock
from tests.recall.known_people import a_fact, know, known


def test_the_operators_table_counts_in_a_talk(settings: Settings, clock: MovingClock) -> None:
    """A word that only the operator's table leads to brings its fact to a reply."""
    store = FileStore(settings.home)
    know(store, [a_fact("Nora grows roses on the balcony.")])
    (settings.home / "associations.tsv").write_text("scarlet\troses\t9\n", encoding="utf-8")
    friend = Companion("Nora", settings=settings, clock=clock, store=store)
    recollection = friend.reply("Something scarlet").recollection
    assert known(recollection) == ["Nora grows roses on the balcony."]

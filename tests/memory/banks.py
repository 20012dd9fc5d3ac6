"""Files in MemoryBank's form, and what a store makes of them."""

from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.memory.import_export import ImportReport, import_bank
from siliconfriend.memory.store import MemoryStore
from tests.memory.people import NORA, NOW

SHANGHAI = ZoneInfo("Asia/Shanghai")


def bring(store: MemoryStore, bank: Any, companion: str = "default") -> ImportReport:
    """Import a bank at the present of these tests."""
    return import_bank(store, bank, language="cn", companion=companion, zone=SHANGHAI, now=NOW)


def someone(history: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Nora as a bank has her."""
    return {
        "name": "Nora",
        "summary": {},
        "personality": {},
        "overall_history": "",
        "history": history,
        "meta_information": {},
        **more,
    }


def talk(*queries: str) -> list[dict[str, str]]:
    """Turns with these words, each with an answer of its own."""
    return [{"query": query, "response": f"re: {query}"} for query in queries]


def places(store: MemoryStore, date: str) -> list[tuple[int, str]]:
    """Where each turn of a day stands, and its words."""
    return [(turn.position, turn.query) for turn in store.load(NORA).days[date].turns]

"""The memory behind LangGraph's store: items of people, searched by meaning, never mixed up."""

from pathlib import Path

import pytest

from siliconfriend import MemoryBank
from siliconfriend.errors import RefusedName
from siliconfriend.integrations.langchain import SiliconFriendStore
from siliconfriend.testing import MovingClock

ADA, BOB = ("memories", "Ada"), ("memories", "Bob")


@pytest.fixture
def store(bank: MemoryBank) -> SiliconFriendStore:
    return SiliconFriendStore(bank)


def test_an_item_is_read_by_its_key(store: SiliconFriendStore, clock: MovingClock) -> None:
    """Value, key, namespace and both moments come back; the first moment stays with a new value."""
    first = clock.moment
    store.put(ADA, "pet", {"text": "My cat is called Miso."})
    clock.move(days=1)
    store.put(ADA, "pet", {"text": "My cat is called Tofu."})
    item = store.get(ADA, "pet")
    assert item is not None
    assert (item.namespace, item.key) == (ADA, "pet")
    assert item.value == {"text": "My cat is called Tofu."}
    assert (item.created_at, item.updated_at) == (first, clock.moment)
    assert store.get(ADA, "dog") is None
    assert store.get(("memories", "Nobody"), "pet") is None


def test_a_search_finds_by_meaning_within_one_person(
    store: SiliconFriendStore, bank: MemoryBank
) -> None:
    """What Bob put is never among what Ada finds, nor a turn that is no item."""
    store.put(ADA, "a", {"text": "I keep bees in the garden."})
    store.put((*ADA, "work"), "b", {"text": "I repair clocks."})
    store.put(BOB, "c", {"text": "I keep bees on the roof."})
    bank.person("Ada").add("The bees slept all day.")
    found = store.search(ADA, query="Where do I keep my bees?")
    assert (found[0].namespace, found[0].key) == (ADA, "a")
    assert BOB not in [item.namespace for item in found]
    assert 0.5 <= (found[0].score or 0) <= 1  # a likelihood, as such clients compare it
    assert [item.key for item in store.search((*ADA, "work"), query="What do I repair?")] == ["b"]
    assert {item.key for item in store.search(ADA, query="Clocks or a garden?")} == {"a", "b"}
    assert store.search(("memories",), query="bees") == []


def test_a_search_without_words_lists_the_latest_first(
    store: SiliconFriendStore, clock: MovingClock
) -> None:
    """Filters compare fields; offset and limit cut."""
    for age in (3, 40, 12):
        store.put(ADA, f"age{age}", {"text": f"Somebody is {age}.", "age": age, "kind": "age"})
        clock.move(minutes=1)
    assert [item.key for item in store.search(ADA)] == ["age12", "age40", "age3"]
    assert [item.key for item in store.search(ADA, limit=1, offset=1)] == ["age40"]
    older = store.search(ADA, filter={"age": {"$gte": 12, "$ne": 40}, "kind": "age"})
    assert [item.key for item in older] == ["age12"]
    assert store.search(ADA, filter={"size": {"$gt": 5}}) == []
    with pytest.raises(ValueError, match=r"\$near"):
        store.search(ADA, filter={"age": {"$near": 5}})


def test_deleting_erases_every_value_of_the_key(
    store: SiliconFriendStore, bank: MemoryBank, home: Path
) -> None:
    """No file of the data directory holds its words afterwards, replaced ones neither."""
    store.put(ADA, "pin", {"text": "The number is marmalade."})
    store.put(ADA, "pin", {"text": "The number is porcupine."})
    store.delete(ADA, "pin")
    store.delete(ADA, "pin")
    assert store.get(ADA, "pin") is None
    assert list(bank.person("Ada").turns()) == []
    left = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
    assert b"marmalade" not in left
    assert b"porcupine" not in left


def test_an_item_that_is_not_indexed_is_read_and_not_found(store: SiliconFriendStore) -> None:
    """``index=False`` keeps it out of searches by words."""
    store.put(ADA, "log", {"text": "bees bees bees"}, index=False)
    assert store.search(ADA, query="bees") == []
    assert store.get(ADA, "log") is not None


def test_an_item_is_found_by_the_fields_to_index(store: SiliconFriendStore) -> None:
    """Also by one within another; the rest of the value says nothing."""
    value = {"note": {"said": "My parrot sings."}, "log": "bees bees bees"}
    store.put(ADA, "parrot", value, index=["note.said"])
    assert store.search(ADA, query="bees") == []
    assert [item.value for item in store.search(ADA, query="What does my parrot do?")] == [value]


def test_namespaces_are_listed_by_pattern_and_depth(store: SiliconFriendStore) -> None:
    """Prefixes, suffixes, wildcards and a depth, over everybody."""
    for namespace in (ADA, (*ADA, "work"), (*BOB, "work")):
        store.put(namespace, "k", {"text": "A thing."})
    assert store.list_namespaces() == [ADA, (*ADA, "work"), (*BOB, "work")]
    assert store.list_namespaces(prefix=("memories", "*", "work")) == [
        (*ADA, "work"),
        (*BOB, "work"),
    ]
    assert store.list_namespaces(suffix=("work",), max_depth=2) == [ADA, BOB]


def test_a_namespace_must_name_a_person(store: SiliconFriendStore) -> None:
    """Nothing is written where nobody, or what can be no name, is named."""
    with pytest.raises(ValueError, match="must name a person"):
        store.put(("memories",), "k", {"text": "A thing."})
    with pytest.raises(RefusedName):
        store.put(("memories", "a/b"), "k", {"text": "A thing."})


@pytest.mark.anyio
async def test_the_same_in_an_event_loop(store: SiliconFriendStore) -> None:
    """The asynchronous methods do the same, in a thread."""
    await store.aput(ADA, "pet", {"text": "我的猫叫汤圆。"})
    (found,) = await store.asearch(ADA, query="我的猫叫什么？")
    assert found.value == {"text": "我的猫叫汤圆。"}

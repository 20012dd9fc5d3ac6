"""Whatever an operator does with lore, ids stay their own and the file says what is there."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.characters.companions import empty_lore
from siliconfriend.characters.entries import add_entries, all_entries
from siliconfriend.memory import codec
from siliconfriend.memory.changes import Erase, apply_all
from siliconfriend.memory.drafts import Draft, EventDraft, FactDraft
from siliconfriend.memory.mirror import encode_whole, parse_memory
from tests.characters.conftest import NOW

WORDS = st.text(min_size=1, max_size=12).filter(str.strip)
LANGUAGES = st.sampled_from((None, "en", "cn"))
DRAFTS = st.one_of(
    st.builds(FactDraft, WORDS, entity=WORDS, key_word=st.text(max_size=5), language=LANGUAGES),
    st.builds(
        EventDraft,
        WORDS,
        time=st.one_of(st.none(), st.integers(0, 3).map(lambda it: NOW - timedelta(days=it))),
        place=st.text(max_size=5),
        key_words=st.lists(WORDS, max_size=2).map(tuple),
        language=LANGUAGES,
    ),
)
STEPS = st.lists(
    st.tuples(st.sampled_from(("add", "delete")), st.lists(DRAFTS, max_size=3)), max_size=8
)


@given(STEPS)
def test_ids_are_never_given_twice_and_the_file_holds_everything(
    steps: list[tuple[str, list[Draft]]],
) -> None:
    """After any adding and deleting: no id twice, none again, written is read.

    Adding what is there already adds nothing.
    """
    lore = empty_lore("Pebble", timezone="UTC", now=NOW)
    gone: set[str] = set()
    for act, drafts in steps:
        there = all_entries(lore)
        if act == "add":
            lore = apply_all(lore, add_entries(lore, drafts, now=NOW, made_by="person").changes)
            assert not add_entries(lore, drafts, now=NOW, made_by="import").changes
        elif there:
            gone.add(there[0].id)
            lore = apply_all(lore, [Erase((there[0].id,))])
        ids = [entry.id for entry in all_entries(lore)]
        assert len(set(ids)) == len(ids)
        assert not gone & set(ids)
        written = codec.from_json(encode_whole(lore, "Pebble"))
        assert all_entries(parse_memory(written).memory) == all_entries(lore)

"""Whatever a field of a card holds, an import takes it in or refuses it in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from siliconfriend.characters.cards.exporting import to_card
from siliconfriend.characters.companions import Companions
from siliconfriend.characters.importing import import_companion, read_source
from siliconfriend.errors import UsageError
from tests.characters import card_files as cards
from tests.characters.conftest import BEGINNING, NOW

UTC = ZoneInfo("UTC")
ANY_FILE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)

values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=8),
    lambda inner: (
        some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = sorted({*cards.V3["data"], *cards.BOOK, *cards.BOOK["entries"][0], "selective", "data"})


def _put(form: Any, field: str, value: Any) -> None:
    """Put a value under every field of this name."""
    if isinstance(form, dict):
        for name in form:
            if name == field:
                form[name] = value
            else:
                _put(form[name], field, value)
    elif isinstance(form, list):
        for it in form:
            _put(it, field, value)


@ANY_FILE
@given(field=some.sampled_from(FIELDS), value=values)
def test_a_field_of_any_sort_is_refused_or_taken_out_again(
    tmp_path: Path, companions: Companions, field: str, value: Any
) -> None:
    """What is taken in can be read, told and exported; what is refused leaves nothing behind."""
    card = json.loads(json.dumps(cards.V3))
    _put(card, field, value)
    path = tmp_path / "card.json"
    path.write_text(json.dumps(card), encoding="utf-8")
    try:
        source = read_source(path, UTC)
    except UsageError:
        return
    if companions.exists("Any"):
        companions.delete("Any")
    import_companion(companions, "Any", source, BEGINNING, made_by="import")
    out = to_card(companions, "Any", language="en", now=NOW)
    assert json.loads(json.dumps(out))["spec"] == "chara_card_v3"

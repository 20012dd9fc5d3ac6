"""Which known name was meant by a new one."""

from __future__ import annotations

import pytest

from siliconfriend.memory.near_names import near_names

KNOWN = ["Emily", "Ben", "Zoë", "林晓", "欧阳晓明"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("emily", ["Emily"]),
        ("EMILY ", ["Emily"]),
        ("Emil", ["Emily"]),
        ("Emly", ["Emily"]),
        ("Emilly", ["Emily"]),
        ("Emity", ["Emily"]),
        ("Emliy", ["Emily"]),
        ("zoe", ["Zoë"]),
        ("欧阳小明", ["欧阳晓明"]),
        ("欧阳 晓明", ["欧阳晓明"]),
    ],
)
def test_a_slip_is_near(typed: str, meant: list[str]) -> None:
    assert near_names(typed, KNOWN) == meant


@pytest.mark.parametrize(
    "typed", ["Emily", "Amelie", "Emilia", "Bea", "Be", "林小", "林", "Robin", "?"]
)
def test_another_name_is_another(typed: str) -> None:
    """Also a short one that differs in one letter; and a known one is meant as it stands."""
    assert near_names(typed, KNOWN) == []


def test_the_nearest_stands_first() -> None:
    assert near_names("anna", ["Hanna", "Anna", "Annas"]) == ["Anna", "Annas", "Hanna"]

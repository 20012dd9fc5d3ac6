"""Who asks: what every request of the page's own scripts brings, validated."""

from __future__ import annotations

from pydantic import BaseModel, Field

from siliconfriend.texts import Language


class Asked(BaseModel):
    """Who asks, from which tab, and the language of the page.

    Attributes:
        person: a name; it counts for nothing where people log in.
        companion: whom the tab's address names; empty for the page's own.
        tab: drawn by the tab when it is loaded.
    """

    person: str = Field("", max_length=1000)
    companion: str = Field("", max_length=1000)
    language: Language = "en"
    tab: str = Field("", pattern=r"^[A-Za-z0-9-]{0,64}$")

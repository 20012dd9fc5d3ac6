"""Where a log-in leads back to: the companion and the panel that somebody came for.

What comes back from a browser is put into an address, where an open redirect would send people
to a stranger's page by this one's good name. Only a query and a fragment are ever taken, and
they stand behind the page's own address.
"""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import HTTPConnection

PLACE = "place"
"""The field of the form, and the parameter of its address, that carry it."""
LONGEST_PLACE = 1000
"""Characters of a place; a longer one leads to the beginning of the page."""


def asked_place(connection: HTTPConnection) -> str:
    """Return the query of what somebody asked for and had to log in first; ``?...`` or nothing."""
    query = [(key, it) for key, it in connection.query_params.multi_items() if key != "language"]
    places = [it for key, it in query if key == PLACE]
    if places:
        return own_place(places[0])
    return own_place(f"?{urlencode(query)}" if query else "")


def own_place(place: str) -> str:
    """Return a place of the page's own: a query, a fragment or both; anything else is nothing."""
    is_own = len(place) <= LONGEST_PLACE and place.isprintable() and place[:1] in ("?", "#")
    return place if is_own else ""

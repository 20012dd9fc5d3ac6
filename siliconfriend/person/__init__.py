"""One person as one companion remembers them: the façade of every door.

Doors translate between their users and :class:`Person`; rules about memories are here or below.
"""

from siliconfriend.person.person import Person

__all__ = ["Person"]

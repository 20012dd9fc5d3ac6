"""The façade over one person's memories with one companion, used by every interface.

Interfaces translate between their users and :class:`Person`; rules about memories belong here or
below.
"""

from siliconfriend.person.person import Person

__all__ = ["Person"]

"""One person as one companion remembers them: what every door calls.

The terminal, the page, HTTP, MCP and LangChain translate between their users and the methods of
:class:`Person`. A rule about a memory stands there or below, so that no two doors can differ in it.
"""

from siliconfriend.person.person import Person

__all__ = ["Person"]

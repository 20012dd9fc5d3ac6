"""The tools of each person that one server answers for.

A call over HTTP stands for itself, yet what the last retrieval gave must be known when the
answer to it is added: otherwise words that were only handed out would be indexed as new.
"""

from __future__ import annotations

from threading import Lock

from siliconfriend.memory.scope import clean_name
from siliconfriend.runtime import Runtime
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.tools import Tools

MOST_PEOPLE = 1000
"""People whose tools are kept between calls; the longest unused leave first."""


class ToolsByPerson:
    """Makes and keeps the tools of each person; safe between threads.

    Args:
        runtime: the parts of the server, shared by everybody's tools.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._tools: dict[str | None, Tools] = {}
        self._lock = Lock()

    def of(self, name: str | None) -> Tools:
        """The tools of a person; with None those that say in every answer that nobody is set.

        Raises:
            RefusedName: it cannot be a name.
        """
        key = None if name is None else clean_name(name)
        with self._lock:
            tools = self._tools.pop(key, None) or Tools(ServiceContext(self._runtime.for_user(key)))
            self._tools[key] = tools
            while len(self._tools) > MOST_PEOPLE:
                self._tools.pop(next(iter(self._tools)))
            return tools

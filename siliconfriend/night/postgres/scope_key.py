"""How a scope is called in tables that must name nobody."""

from __future__ import annotations

import hashlib

from siliconfriend.memory.scope import Scope


def scope_key(scope: Scope) -> str:
    """The SHA-256 of both names in hex digits, as the trigger ``forget_nights`` makes it too.

    Unlike :attr:`Scope.digest` it is another one for each scope among millions.
    """
    return hashlib.sha256(f"{scope.person}\0{scope.companion}".encode()).hexdigest()

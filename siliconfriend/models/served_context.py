"""Ask a local server for the context it really serves.

Such servers load a model with less context than it could have (Ollama 4,096 tokens on a machine
with little graphics memory) and cut longer prompts silently at the front.
"""

from __future__ import annotations

import ipaddress
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from math import inf
from typing import Any
from urllib.parse import quote, urlsplit

Get = Callable[..., Any]
ANSWER_SECONDS = 2.0
"""Most seconds of such a request, which is made before the first reply."""
OLLAMA_DEFAULT = 4096
"""Ollama's default context on a machine with little graphics memory."""
ASKED_AGAIN_SECONDS = 3600.0
"""Seconds for which an answer is cached."""
UNKNOWN_CONTEXT = 8192
"""Context of a server that tells none."""
THINKING_TOKENS = 8000
"""Tokens for thinking above the length of an answer, since servers count both together."""
_CONTEXTS = (
    (r"(openai/)?gpt-(4\.1|[6-9])|(deepseek/)?deepseek-(flash|v4)", 1_000_000),
    (r"(openai/)?(gpt-5|o[1-9])", 200_000),
    (r"(openai/)?(gpt-4o|gpt-4-turbo|chatgpt)", 128_000),
)
_NUM_CTX = re.compile(r"^num_ctx\s+(\d{1,9})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Served:
    """What a server says of itself.

    Attributes:
        kind: ollama, llamacpp, lmstudio or vllm; empty if it is none of those.
        context_tokens: of prompt and answer together; None if it does not say.
        is_loaded: the number is the one that the model was loaded with.
        models: the names of its models.
    """

    kind: str = ""
    context_tokens: int | None = None
    is_loaded: bool = True
    models: tuple[str, ...] = ()


def ask_server(base_url: str, model: str, api_key: str | None) -> Served:
    """List a server's models; of one's own, also detect its kind and context size."""
    import httpx2

    base, is_own = base_url.rstrip("/"), is_own_address(base_url)
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    found = Served()
    # Words for this machine's own server must not take the way over a proxy.
    with httpx2.Client(timeout=ANSWER_SECONDS, headers=headers, trust_env=not is_own) as client:

        def get(address: str, body: Mapping[str, str] | None = None) -> Any:
            answer = client.get(address) if body is None else client.post(address, json=body)
            return answer.json() if answer.is_success else {}

        for ask in (_list_models, *(_OWN_SERVERS if is_own else ())):
            try:
                said = ask(get, base, model)
            except httpx2.HTTPError:
                break
            except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
                continue  # it is another kind of server
            found = replace(said, models=said.models or found.models)
            if found.kind:
                break
    return found


def is_own_address(address: str) -> bool:
    """True for an address on this machine or in a network of one's own."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".local", ".internal")) or "." not in host


@dataclass(eq=False)
class ContextSize:
    """The context of one model at one server, in tokens. Safe between threads.

    Attributes:
        tokens: what is set or known; None for what is known of the model's name.
        ask: asks the server what it really serves, once an hour; by default nobody is asked. The
            smaller number counts. Until the model is loaded, it is asked again after each answer.
        thinks: reserve tokens for thinking.
        now: seconds that only grow.
    """

    model: str
    tokens: int | None = None
    ask: Callable[[], Served] = Served
    _: KW_ONLY
    thinks: bool = False
    now: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)
    _served: Served = field(init=False, default=Served())
    _until: float = field(init=False, default=-inf)

    def whole(self) -> int:
        """Return all of it."""
        with self._lock:
            if self.now() >= self._until:
                self._served, self._until = self.ask(), self.now() + ASKED_AGAIN_SECONDS
            served = self._served.context_tokens
        if served is None:
            return self.tokens or context_of(self.model)
        return min(served, self.tokens or served)

    def without_thinking(self) -> int:
        """Return the tokens of prompt and answer together."""
        whole = self.whole()
        return whole - self._thinking(whole)

    def longest_answer(self, max_tokens: int) -> int:
        """Return the most tokens to ask for: a third of what prompt and answer have, and thinking."""
        thinking = self._thinking(whole := self.whole())
        return min(max_tokens, (whole - thinking) // 3) + thinking

    def renew(self) -> None:
        """Ask again at the next use if the model was not loaded when it was asked."""
        with self._lock:
            if not self._served.is_loaded:
                self._until = -inf

    def _thinking(self, whole: int) -> int:
        return min(THINKING_TOKENS, whole // 3) if self.thinks else 0


def context_of(model: str) -> int:
    """Return the context of a hosted model of this name in tokens; 8,192 for any other."""
    return next((size for name, size in _CONTEXTS if re.match(name, model)), UNKNOWN_CONTEXT)


def _list_models(get: Get, base: str, model: str) -> Served:
    listed = {str(one["id"]): one for one in get(f"{base}/models")["data"]}
    size = listed.get(model, {}).get("max_model_len")
    return Served("vllm" if size else "", size and int(size), models=tuple(listed))


def _ask_ollama(get: Get, base: str, model: str) -> Served:
    root = base.removesuffix("/v1")
    for one in get(f"{root}/api/ps")["models"]:
        name, size = str(one.get("model") or one["name"]), int(one.get("context_length") or 0)
        if size and name.removesuffix(":latest") == model.removesuffix(":latest"):
            return Served("ollama", size)
    shown = get(f"{root}/api/show", {"model": model})
    set_to = _NUM_CTX.search(str(shown.get("parameters")))
    return Served("ollama", int(set_to[1]) if set_to else OLLAMA_DEFAULT, is_loaded=False)


def _ask_llamacpp(get: Get, base: str, model: str) -> Served:
    props = get(f"{base.removesuffix('/v1')}/props?model={quote(model)}&autoload=false")
    return Served("llamacpp", int(props["default_generation_settings"]["n_ctx"]))


def _ask_lmstudio(get: Get, base: str, model: str) -> Served:
    shown = get(f"{base.removesuffix('/v1')}/api/v0/models")
    (about,) = (one for one in shown["data"] if one["id"] == model)
    size = about.get("loaded_context_length")
    return Served("lmstudio", size and int(size), is_loaded=bool(size))


_OWN_SERVERS = (_ask_ollama, _ask_llamacpp, _ask_lmstudio)

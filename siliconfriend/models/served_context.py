"""Asks a server on a machine of one's own how much context it really serves.

Such servers load a model with less context than it could have: Ollama 4,096 tokens on a
machine with little graphics memory, whatever a request asks for. What is beyond is cut off
at the front without a word, and that is where the memories stand. So prompts are made for
what is served and not for what the model could.
"""

from __future__ import annotations

import ipaddress
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    from httpx2 import Client, Response

Kind = Literal["ollama", "llamacpp", "lmstudio", "vllm"]
ANSWER_SECONDS = 2.0
"""How long such a question may take; it is asked before the first reply."""
OLLAMA_DEFAULT = 4096
"""What Ollama loads a model with on a machine with little graphics memory, unless told."""
ASKED_AGAIN_SECONDS = 3600.0
"""How long an answer counts."""
UNKNOWN_CONTEXT = 8192
"""Context of a server that tells none."""
THINKING_TOKENS = 8000
"""Tokens for thinking above the length of an answer, since servers count both together."""
_CONTEXTS = (
    (r"(openai/)?gpt-(4\.1|[6-9])|(deepseek/)?deepseek-(flash|v4)", 1_000_000),
    (r"(openai/)?(gpt-5|o[1-9])", 200_000),
    (r"(openai/)?(gpt-4o|gpt-4-turbo|chatgpt)", 128_000),
)
_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Served:
    """What a server says of itself.

    Attributes:
        kind: which program it is; empty if it is none of those that are known.
        context_tokens: what prompt and answer have together; None if it does not say.
        is_loaded: the model is loaded and the number what it was loaded with.
        models: the names of the models it has.
        withdrawn_on: the day on which the service withdraws the model, as it writes it.
    """

    kind: Kind | Literal[""] = ""
    context_tokens: int | None = None
    is_loaded: bool = True
    models: tuple[str, ...] = ()
    withdrawn_on: str = ""


def ask_server(base_url: str, model: str, api_key: str | None) -> Served:
    """Ask a server what it serves, and one of one's own what it is; else that stays unknown."""
    import httpx2

    base, is_own = base_url.rstrip("/"), is_own_address(base_url)
    root = base.removesuffix("/v1")
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    # Words for this machine's own server must not take the way over a proxy.
    with httpx2.Client(timeout=ANSWER_SECONDS, headers=headers, trust_env=not is_own) as client:
        try:
            listed = _object(client.get(f"{base}/models"))
        except httpx2.HTTPError:
            return Served()
        about = next((it for it in _objects(listed, "data") if it.get("id") == model), {})
        models = tuple(str(it["id"]) for it in _objects(listed, "data") if "id" in it)
        asked = (ask(client, root, model) for ask in (_ASKED if is_own else ()))
        found = next(filter(None, asked), None)
    if found is None:
        size = _tokens(about.get("max_model_len"))
        found = Served("vllm" if size else "", size)
    withdrawn = str(about.get("shutdown_date") or "")
    return Served(found.kind, found.context_tokens, found.is_loaded, models, withdrawn)


def is_own_address(address: str) -> bool:
    """True for an address on this machine or in a network of one's own."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".local", ".internal")) or "." not in host


class ServedContext:
    """How much context one model is served with; asked once an hour. Safe between threads.

    A model that was not loaded yet is asked for once more after its first answer.

    Args:
        ask: asks the server.
        now: seconds that only grow.
    """

    def __init__(
        self, ask: Callable[[], Served], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._ask, self._now = ask, now
        self._lock = threading.Lock()
        self._served: Served | None = None
        self._until = 0.0
        self._may_renew = True

    def tokens(self) -> int | None:
        """Return the tokens of prompt and answer together; None if the server does not say."""
        with self._lock:
            if self._served is None or self._now() >= self._until:
                self._served, self._until = self._ask(), self._now() + ASKED_AGAIN_SECONDS
            return self._served.context_tokens

    def renew(self) -> None:
        """Ask again at the next use, once, if the model was not loaded when it was asked."""
        with self._lock:
            if self._served is not None and not self._served.is_loaded and self._may_renew:
                self._served, self._may_renew = None, False


class ContextSize:
    """The context of one model at one server, in tokens.

    Args:
        model: its name.
        tokens: what is set or known; None for what is known of the name.
        served: what the server really serves; None to ask nobody. The smaller number counts.
        thinks: reserve tokens for thinking.
    """

    def __init__(
        self, model: str, tokens: int | None, served: ServedContext | None, *, thinks: bool
    ) -> None:
        self._model = model
        self._tokens = tokens
        self._served = served
        self._thinks = thinks

    def whole(self) -> int:
        """Return all of it."""
        served = None if self._served is None else self._served.tokens()
        if served is None:
            return self._tokens or context_of(self._model)
        return min(served, self._tokens or served)

    def without_thinking(self) -> int:
        """Return the tokens of prompt and answer together."""
        whole = self.whole()
        return whole - self._thinking(whole)

    def longest_answer(self, max_tokens: int) -> int:
        """Return the most tokens to ask for: a third of what prompt and answer have, and thinking."""
        thinking = self._thinking(whole := self.whole())
        return min(max_tokens, (whole - thinking) // 3) + thinking

    def renew(self) -> None:
        """See :meth:`ServedContext.renew`."""
        if self._served is not None:
            self._served.renew()

    def _thinking(self, whole: int) -> int:
        return min(THINKING_TOKENS, whole // 3) if self._thinks else 0


def context_of(model: str) -> int:
    """Return the context of a hosted model of this name in tokens; 8,192 for any other."""
    return next((size for name, size in _CONTEXTS if re.match(name, model)), UNKNOWN_CONTEXT)


def _ask_ollama(client: Client, root: str, model: str) -> Served | None:
    running = _get(client, f"{root}/api/ps")
    if not isinstance(running.get("models"), list):
        return None
    for one in _objects(running, "models"):
        size = _tokens(one.get("context_length"))
        if size and _same_model(model, str(one.get("model") or one.get("name"))):
            return Served("ollama", size)
    shown = _get(client, f"{root}/api/show", {"model": model})
    set_to = _NUM_CTX.search(str(shown.get("parameters") or ""))
    return Served("ollama", int(set_to[1][:9]) if set_to else OLLAMA_DEFAULT, is_loaded=False)


def _ask_llamacpp(client: Client, root: str, model: str) -> Served | None:
    props = _get(client, f"{root}/props?model={quote(model)}&autoload=false")
    settings = props.get("default_generation_settings")
    size = _tokens(settings.get("n_ctx")) if isinstance(settings, dict) else None
    return Served("llamacpp", size) if size else None


def _ask_lmstudio(client: Client, root: str, model: str) -> Served | None:
    for one in _objects(_get(client, f"{root}/api/v0/models"), "data"):
        if one.get("id") == model:
            loaded = _tokens(one.get("loaded_context_length"))
            return Served("lmstudio", loaded, is_loaded=loaded is not None)
    return None


_ASKED = (_ask_ollama, _ask_llamacpp, _ask_lmstudio)


def _get(client: Client, address: str, body: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The JSON object at an address, asked with a body if there is one; empty if there is none."""
    import httpx2

    try:
        found = client.get(address) if body is None else client.post(address, json=body)
    except httpx2.HTTPError:
        return {}
    return _object(found)


def _object(response: Response) -> dict[str, Any]:
    """The JSON object of a response; empty if there is none."""
    try:
        said = response.json() if response.is_success else None
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _objects(said: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    listed = said.get(name)
    return [it for it in listed if isinstance(it, dict)] if isinstance(listed, list) else []


def _tokens(said: object) -> int | None:
    return said if isinstance(said, int) and not isinstance(said, bool) and said > 0 else None


def _same_model(one: str, other: str) -> bool:
    """True if two names mean one model of Ollama, whose usual tag may be left out."""
    return one.removesuffix(":latest") == other.removesuffix(":latest")

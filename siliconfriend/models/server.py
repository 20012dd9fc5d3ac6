"""What a model's server says of itself and of its failures.

A local server is asked for the context it really serves: such servers load a model with less than
it could have (Ollama 4,096 tokens on a machine with little graphics memory) and cut longer prompts
silently at the front. No sentence of an error has a key, header or password.
"""

from __future__ import annotations

import ipaddress
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import Any
from urllib.parse import quote, urlsplit

from siliconfriend.errors import ModelError, ModelUnavailable, UnusableAnswer

Get = Callable[..., Any]
ANSWER_SECONDS = 2.0
"""Most seconds of such a request, which is made before the first reply."""
OLLAMA_DEFAULT = 4096
"""Ollama's default context on a machine with little graphics memory."""
ASKED_AGAIN_SECONDS, SOON_SECONDS = 3600.0, 10.0
"""Seconds for which an answer is cached; one that will change as soon as the server is used."""
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
_KEYS = {
    401: "model_key",
    402: "model_unpaid",
    403: "model_key",
    404: "model_missing",
    408: "model_silent",
    413: "model_too_long",
    429: "model_busy",
}
_TOO_LONG = ("context length", "context size", "context window", "context_length", "too long")


def host_of(address: str) -> str:
    """Return the part of an address that may be shown: scheme, host and port."""
    parts = urlsplit(address)
    host = parts.hostname or address
    if ":" in host:
        host = f"[{host}]"
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port else "")


def is_own_address(address: str) -> bool:
    """True for an address on this machine or in a network of one's own."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".local", ".internal")) or "." not in host


@dataclass(frozen=True, slots=True)
class Served:
    """What a server says of itself.

    Attributes:
        kind: ollama, llamacpp, lmstudio or vllm; empty if it is none of those.
        context_tokens: of prompt and answer together; None if it does not say.
        is_final: False while the server is down, or has not loaded the model.
        models: the names of its models.
    """

    kind: str = ""
    context_tokens: int | None = None
    is_final: bool = True
    models: tuple[str, ...] = ()


def ask_server(base_url: str, model: str, api_key: str | None) -> Served:
    """List a server's models; of one's own, also detect its kind and context size."""
    import httpx2

    base, is_own = base_url.rstrip("/"), is_own_address(base_url)
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    found = Served()
    # Words for this machine's own server must not take the way over a proxy.
    with httpx2.Client(timeout=ANSWER_SECONDS, headers=headers, trust_env=not is_own) as client:

        def get(path: str, body: Mapping[str, str] | None = None) -> Any:
            address = f"{base}/{path}" if path == "models" else f"{base.removesuffix('/v1')}/{path}"
            answer = client.get(address) if body is None else client.post(address, json=body)
            return answer.json() if answer.is_success else {}

        for ask in (_list_models, *(_OWN_SERVERS if is_own else ())):
            try:
                said = ask(get, model)
            except httpx2.HTTPError:
                return replace(found, is_final=bool(found.models))
            except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
                continue  # it is another kind of server
            found = replace(said, models=said.models or found.models)
            if found.kind:
                break
    return found


@dataclass(eq=False)
class ContextSize:
    """The context of one model at one server, in tokens: what is set, or known of its name.

    ``ask`` asks the server what it really serves, once an hour, by default nobody; the smaller
    number counts. ``thinks`` reserves tokens for thinking; ``now`` gives seconds that only grow.
    """

    model: str
    tokens: int | None = None
    thinks: bool = False
    ask: Callable[[], Served] = Served
    now: Callable[[], float] = time.monotonic
    _served: Served = field(init=False, default=Served())
    _until: float = field(init=False, default=-inf)

    def whole(self) -> int:
        """Return all of it."""
        if self.now() >= self._until:
            self._served = self.ask()
            seconds = ASKED_AGAIN_SECONDS if self._served.is_final else SOON_SECONDS
            self._until = self.now() + seconds
        served = self._served.context_tokens
        known = self.tokens or served or context_of(self.model)
        return min(known, served or known)

    def without_thinking(self) -> int:
        """Return the tokens of prompt and answer together."""
        whole = self.whole()
        return whole - self._thinking(whole)

    def longest_answer(self, max_tokens: int) -> int:
        """Return the most tokens to ask for: a third of what prompt and answer have, and thinking."""
        thinking = self._thinking(whole := self.whole())
        return min(max_tokens, (whole - thinking) // 3) + thinking

    def _thinking(self, whole: int) -> int:
        return min(THINKING_TOKENS, whole // 3) if self.thinks else 0


def context_of(model: str) -> int:
    """Return the context of a hosted model of this name in tokens; 8,192 for any other."""
    return next((size for name, size in _CONTEXTS if re.match(name, model)), UNKNOWN_CONTEXT)


def _list_models(get: Get, model: str) -> Served:
    listed = {str(one["id"]): one for one in get("models")["data"]}
    size = listed.get(model, {}).get("max_model_len")
    return Served("vllm" if size else "", size and int(size), models=tuple(listed))


def _ask_ollama(get: Get, model: str) -> Served:
    for one in get("api/ps")["models"]:
        name, size = str(one.get("model") or one["name"]), int(one.get("context_length") or 0)
        if size and name.removesuffix(":latest") == model.removesuffix(":latest"):
            return Served("ollama", size)
    set_to = _NUM_CTX.search(str(get("api/show", {"model": model}).get("parameters")))
    return Served("ollama", int(set_to[1]) if set_to else OLLAMA_DEFAULT, is_final=False)


def _ask_llamacpp(get: Get, model: str) -> Served:
    props = get(f"props?model={quote(model)}&autoload=false")
    return Served("llamacpp", int(props["default_generation_settings"]["n_ctx"]))


def _ask_lmstudio(get: Get, model: str) -> Served:
    (about,) = (one for one in get("api/v0/models")["data"] if one["id"] == model)
    size = about.get("loaded_context_length")
    return Served("lmstudio", size and int(size), is_final=bool(size))


_OWN_SERVERS = (_ask_ollama, _ask_llamacpp, _ask_lmstudio)


def translate(error: Exception, server: Mapping[str, Any]) -> ModelError:
    """Translate an error of the client library into one of this program.

    ``server`` has the details of its sentences: ``name`` of the model, ``address``, and the
    ``seconds`` that the server may stay silent.
    """
    import httpx2
    import openai

    if isinstance(error, openai.APIStatusError):
        status, said = error.status_code, error_text(error)
        key = _KEYS.get(status, "model_down" if status >= 500 else "model_rejected")
        if status == 429 and "insufficient_quota" in said:
            key = "model_unpaid"
        is_too_long = key == "model_rejected" and any(it in said.lower() for it in _TOO_LONG)
        if is_too_long or key == "model_too_long":
            return UnusableAnswer("model_too_long", name=server["name"])
        wait = retry_after(error.response.headers)
        return ModelUnavailable(key, retry_after=wait, status=status, **server)
    cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
    key = "model_broke_off"
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        key = "model_silent"
    elif cause is None or isinstance(cause, httpx2.ConnectError):
        key = "model_unreachable"
    return ModelUnavailable(key, **server)


def error_text(error: Exception) -> str:
    """Return the text of a server's refusal, to be searched and never shown."""
    return f"{getattr(error, 'param', '')} {getattr(error, 'code', '')} {error}"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait, by ``Retry-After-Ms`` or ``Retry-After``; None without."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return max(0.0, seconds) if isfinite(seconds) else None
    return None

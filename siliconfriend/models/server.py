"""Query a model server for its properties.

A local server is queried for its real context size: many load a model with a smaller one, and
silently truncate longer prompts at the front.
"""

from typing import Any, NamedTuple
from urllib.parse import quote

from siliconfriend.models.connection import MALFORMED, client_options, is_own_address

UNKNOWN_CONTEXT = 8192
"""Default context size in tokens."""
ANSWER_SECONDS = 2.0
"""Timeout in seconds; the request precedes the first reply."""
_KINDS = (
    ("vllm", "models", "data", "max_model_len"),
    ("ollama", "api/ps", "models", "context_length"),
    ("llamacpp", "props?model={model}&autoload=false", "default_generation_settings", "n_ctx"),
    ("lmstudio", "api/v0/models", "data", "loaded_context_length"),
)
"""Kinds of servers: the path, field and key of the context size."""
_UNLOADED = {"ollama": 4096, "lmstudio": None}
"""The kinds that load a model at its first request, with the default context size."""


class Served(NamedTuple):
    """Properties of a server.

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
    """List a server's models; of a local one, also detect its kind and context size."""
    import httpx2

    base, is_own = base_url.rstrip("/"), is_own_address(base_url)
    wanted, models = model.removesuffix(":latest"), tuple[str, ...]()
    with httpx2.Client(**client_options(base, api_key, ANSWER_SECONDS)) as client:
        for kind, path, field, key in _KINDS if is_own else _KINDS[:1]:
            root = base if path == "models" else base.removesuffix("/v1")
            try:
                answer = client.get(f"{root}/{path.format(model=quote(model))}").raise_for_status()
                said: Any = answer.json()[field]
                listed = [{**said, "id": wanted}] if isinstance(said, dict) else said
                named = {
                    str(entry.get("id") or entry["name"]).removesuffix(":latest"): entry
                    for entry in listed
                }
                size = int(named.get(wanted, {}).get(key) or 0)
            except httpx2.RequestError:
                return Served(is_final=bool(models), models=models)
            except (httpx2.HTTPStatusError, *MALFORMED):
                continue  # it is another kind of server
            if path == "models":
                models = tuple(named)
            if size or kind in _UNLOADED:
                return Served(kind, size or _UNLOADED[kind], bool(size), models)
    return Served(models=models)

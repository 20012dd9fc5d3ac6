"""Passwords of machines: keys that people pasted into chats do not belong into a memory.

Only shapes that services publish for their keys are known here, so that no words of a person
are taken for one. What is found is left out and counted, and never shown.
"""

from __future__ import annotations

import re

_SHAPES = (
    # private keys in PEM, also where the end was not pasted
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    # OpenAI, Anthropic, OpenRouter, DeepSeek and others
    r"\bsk-[A-Za-z0-9_-]{20,}",
    # AWS
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    # GitHub, GitLab
    r"\bgh[pousr]_[A-Za-z0-9]{36,}",
    r"\bgithub_pat_[A-Za-z0-9_]{22,}",
    r"\bglpat-[A-Za-z0-9_-]{20,}",
    # Slack, Google, Hugging Face, npm, PyPI, Stripe, SendGrid, DigitalOcean
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\bAIza[A-Za-z0-9_-]{35}",
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bhf_[A-Za-z0-9]{30,}",
    r"\bnpm_[A-Za-z0-9]{36}",
    r"\bpypi-AgEI[A-Za-z0-9_-]{50,}",
    r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"\bdop_v1_[a-f0-9]{64}",
    # a bot of Telegram, a signed web token
    r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}",
    r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    # a name and a password in an address
    r"(?<=://)[^\s/:@]{1,100}:[^\s/:@]{3,100}(?=@)",
)
_ANY = re.compile("|".join(_SHAPES))


def leave_out_keys(words: str, mark: str) -> tuple[str, int]:
    """The words with ``mark`` in place of each key, and how many there were."""
    return _ANY.subn(lambda _: mark, words)

"""Run what the suite holds against bad models, poison, leaks and despair: ``python -m tests.long.held``.

The figures, which are tests that passed, go to ``docs/reliability/held.json``.
"""

from __future__ import annotations

import re
import subprocess
import sys

from tests.long.report import write_proof

HELD = {
    "a model that refuses, is filtered, empty, cut, fenced, thinks aloud, answers in another "
    "language or no JSON, is limited, slow or gone: what is seen and what is kept": (
        "tests/dialogue/test_failures.py",
        "tests/night/test_failures.py",
        "tests/models/test_openai_compatible.py",
    ),
    "memories, imports, cards and lore that give orders, forge roles, dates, sections or tools": (
        "tests/test_composed_prompts.py",
        "tests/test_prompt_escape.py",
        "tests/night/test_model_writer.py",
    ),
    "what nobody said, in facts, summaries and insights": (
        "tests/extraction/test_support.py",
        "tests/extraction/test_unsaid.py",
    ),
    "passwords and keys in errors, settings and answers": (
        "tests/test_causes_masked.py",
        "tests/test_keys.py",
        "tests/test_passwords.py",
    ),
    "files encrypted at rest, and a person erased with their key": (
        "tests/memory/test_encryption.py",
        "tests/cli/test_users_encrypt.py",
    ),
    "words that speak of self-harm, and help first": (
        "tests/language/test_self_harm.py",
        "tests/dialogue/test_distress.py",
    ),
    "flattery, a claim to be human and holding people back, in every wording of a reply without a "
    "model and in what a model is told": ("tests/dialogue/test_manners.py",),
    "files that another account could open": ("tests/memory/test_privacy.py",),
    "everybody kept apart, by every key, path and name": (
        "tests/test_isolation.py",
        "tests/server/test_access.py",
    ),
}


def main() -> None:
    """Run each group of files; a test that fails ends it."""
    rows: list[list[str | int]] = []
    for what, files in HELD.items():
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        passed = re.search(r"(\d+) passed", done.stdout)
        assert done.returncode == 0, done.stdout[-2000:]
        assert passed is not None
        rows.append([what, ", ".join(f"`{it}`" for it in files), int(passed[1]), 0])
        print(*rows[-1], flush=True)
    write_proof(
        "held",
        order=45,
        title="Held by the suite",
        command="python -m tests.long.held",
        columns=("against what", "tests", "passed", "failed"),
        rows=rows,
        not_measured=(
            "real models: what they are asked and what becomes of their answers is tried with"
            " answers that were written down. No test of the suite may reach another machine: a"
            " guard over all of them (`tests/conftest.py`) fails the one that tries."
        ),
    )


if __name__ == "__main__":
    main()

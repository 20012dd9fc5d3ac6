"""A forgetting policy in words: its formula for a report, its explanation for the person."""

from __future__ import annotations

from siliconfriend.forgetting.policy import RECALL_GROWTH, STEPS, ForgettingPolicy
from siliconfriend.texts import Language, text


def formula(policy: ForgettingPolicy, language: Language) -> str:
    """Name, formula and unit in one line for a report."""
    if (rules := policy.accumulation) is None:
        shown = {"turn": _days(policy.units["turn"]), "day": _days(policy.units["day"])}
    else:
        shown = {
            "steps": ", ".join(f"+{gain:g} ({days:g})" for days, gain in STEPS),
            "recall": f"{RECALL_GROWTH:g}",
            "sum": f"{rules.every_sum:,.0f}",
            "share": f"{rules.share:.0%}",
        }
    return text("forgetting", f"formula.{policy.name}", language, **shown)


def explanation(policy: ForgettingPolicy, language: Language) -> str:
    """Describe the policy in a sentence for the person."""
    return text("forgetting", f"explanation.{policy.name}", language)


def _days(days: float) -> str:
    return f"{days:.1f}".rstrip("0").rstrip(".")

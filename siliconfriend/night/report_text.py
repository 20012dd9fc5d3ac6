"""The report of a night in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from siliconfriend.memory.scope import DEFAULT_COMPANION
from siliconfriend.night.formatting import format_date, format_dates, row
from siliconfriend.texts import Language, area, text


def report_text(report: Mapping[str, Any], formula: str, language: Language) -> str:
    """A report as :meth:`NightReport.to_json` gives it, a paragraph a person.

    Args:
        report: the whole report.
        formula: the policy in effect, in ``language``.
        language: what it is told in.
    """

    def say(key: str, **values: object) -> str:
        return text("night", f"report.{key}", language, **values)

    now = datetime.fromisoformat(report["now"])
    date = format_date(now.date().isoformat(), language)
    moment = text("night", "moment", language, date=date, time=f"{now:%H:%M}")
    title = say("dry_title" if report["dry_run"] else "title", moment=moment)
    lines = [title, say("policy", formula=formula)]
    paragraphs = [
        (_called(person, language), list(_lines(person, language, dry_run=report["dry_run"])))
        for person in report["users"]
    ]
    if any(said for _name, said in paragraphs):
        for name, said in paragraphs:
            lines += [name, *(said or [say("nothing")])]
    elif paragraphs:
        lines.append(say("all_quiet"))
    elif not report["unreadable"]:
        lines.append(say("nobody"))
    lines += [say("unreadable", folder=it) for it in report["unreadable"]]
    lines.append(say("seconds", seconds=f"{report['seconds']:.1f}"))
    return "\n".join(lines)


def _called(person: Mapping[str, Any], language: Language) -> str:
    if person["user"] is None:
        return text("night", "report.person_gone", language)
    key = "person" if person["companion"] == DEFAULT_COMPANION else "person_with"
    return text(
        "night",
        f"report.{key}",
        language,
        name=person["user"],
        companion=person["companion"],
    )


def _lines(person: Mapping[str, Any], language: Language, *, dry_run: bool) -> Iterable[str]:
    """What was done for one person; nothing where there was nothing to do."""

    def say(key: str, **values: object) -> str:
        return text("night", f"report.{key}", language, **values)

    tidied = person["stages"].get("tidy", {}).get("due" if dry_run else "done")
    if tidied:
        yield say("would_tidy" if dry_run else "tidied", count=tidied)
    if person["summarised"]:
        summarised = format_dates(person["summarised"], language)
        yield say("would_summarise" if dry_run else "summarised", days=summarised)
    portrait = person["stages"].get("portrait", {})
    if portrait.get("due" if dry_run else "done"):
        yield say("would_portray" if dry_run else "portrait")
    learned = {kind: person[f"{kind}s"] for kind in ("event", "fact") if person.get(f"{kind}s")}
    unread = person["stages"].get("extract", {}).get("due", 0)
    if learned:
        yield say("extracted", counts=_counts(learned, language))
    elif dry_run and unread:
        yield say("would_extract", count=unread)
    if person.get("topics"):
        yield say("topics", count=person["topics"])
    elif dry_run and person["stages"].get("topics", {}).get("due"):
        yield say("would_sort_topics")
    if person.get("knowledge"):
        yield say("knowledge", count=person["knowledge"])
    skipped = person.get("skipped", ())  # the report of a night before there was reflection
    if person.get("insights"):
        yield say("insights", count=person["insights"])
    elif dry_run and person["stages"].get("reflect", {}).get("due") and not skipped:
        yield say("would_reflect")
    if "reflect" in skipped:
        yield say("reflect_offline")
    if person["archived"]:
        counts = _counts(person["archived"], language)
        yield say("would_archive" if dry_run else "archived", counts=counts)
    if person["dimmed"]:
        yield say("dimmed", counts=_counts(person["dimmed"], language))
    days = [it for it in person["pending"] if it[:1].isdigit()]
    if days:
        yield say("pending", days=format_dates(days, language))
    others = [it for it in person["pending"] if not it[:1].isdigit()]
    if others:
        named = area("night", language)["report"]["texts"]
        texts = row([named.get(it, it) for it in others], language)
        yield say("pending_texts", texts=texts)
    for error in person["errors"]:
        yield say("error", sentence=error)
    if person["llm"]["calls"]:
        yield say("llm", **person["llm"])


def _counts(counts: Mapping[str, int], language: Language) -> str:
    return row(
        [
            text("night", f"report.counts.{kind}", language, count=count)
            for kind, count in sorted(counts.items())
        ],
        language,
    )

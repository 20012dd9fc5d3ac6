"""How English names days: forms of words as data, each with what it means."""

from __future__ import annotations

import re
from dataclasses import replace

from siliconfriend.recall.dates import english_meanings as meanings
from siliconfriend.recall.dates.english_words import FEASTS, MONTH_NAMES, PARTS
from siliconfriend.recall.dates.rules import Grammar, Resolve, Rule, stretch

MONTH = r"(?P<month>" + "|".join(sorted(MONTH_NAMES, key=len, reverse=True)) + r")\b\.?"
WEEKDAY = (
    r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?-i:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\b\.?)(?!s\b)"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d|-\d|/\d)"
_DAY = r"(?P<day>\d{1,2})(?P<ordinal>st|nd|rd|th)?(?![\w%$:/]|[.,:]\d)"
_COUNT = r"(?P<number>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_UNIT = r"(?P<unit>day|week|month|year)"
_OUR_TALK = r"(?:conversation|chat|talk|conversations|chats|talks|meeting|dialogue|session)"
_TALKED = r"(?:talked|chatted|spoke|met|conversed|messaged)"


def _rule(pattern: str, resolve: Resolve) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), resolve)


_THIRD = r"(?P<third>early|mid|late|beginning|start|middle|midst|end)"
_THIRD_OF = rf"(?:{_THIRD}(?:\s+(?:part\s+)?(?:of\s+|in\s+)?|-)(?:the\s+)?)"
_WHICH = r"(?P<which>this|last|past|previous|next|coming)"
_NTH = r"(?P<nth>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|previous)"
_FEAST = "|".join(re.escape(name).replace("'", "['’]") for name in FEASTS)
_GOES_ON = (
    r"(?=\s*(?:$|[,.?!;:]|(?:what|which|who|where|when|how|why|did|do|does|was|were|is|had|have|"
    r"i|we|you|he|she|they|it|my|our|and|at|in|that|there)\b))"
)

ABSOLUTE: tuple[Rule, ...] = (
    _rule(
        r"(?<![\d./-])(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d|[-/.]\d)",
        meanings.iso,
    ),
    _rule(
        r"(?<![\d./-])(?P<a>\d{1,2})(?P<mark>[-/.])(?P<b>\d{1,2})(?P=mark)(?P<year>\d{4})(?!\d|[-/.]\d)",
        meanings.numeric,
    ),
    _rule(r"(?<![\d./-])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<year>\d{2})(?![\d/.-])", meanings.numeric),
    _rule(r"(?<![\d./-])(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![\d/%-]|\.\d)", meanings.numeric),
    _rule(rf"\b{MONTH}\s*(?:the\s+)?{_DAY}(?:,?\s+{_YEAR})?", meanings.absolute),
    _rule(rf"(?<![\d.,:/])\b{_DAY}\s+(?:of\s+)?{MONTH}(?:,?\s+(?:of\s+)?{_YEAR})?", meanings.absolute),
    _rule(
        rf"\b{MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:-|–|to|through)\s*"
        rf"(?P<last>\d{{1,2}})(?:st|nd|rd|th)?(?![\w%$:/]|[.,:]\d)(?:,?\s+{_YEAR})?",
        meanings.days_of_month,
    ),
    _rule(rf"\b{_THIRD_OF}?{MONTH},?\s+(?:of\s+)?{_YEAR}", meanings.month_of_year),
    _rule(r"(?<![\d./-])(?P<year>(?:19|20)\d\d)[-/](?P<number>\d{2})(?![\d]|[-/.]\d)", meanings.month_of_year),
    _rule(
        rf"\b(?:in|during|since|throughout|until|till|around|{_WHICH})\s+{MONTH}(?!['’]s|\s+\d)",
        meanings.named_month,
    ),
    _rule(rf"\b{_THIRD_OF}{MONTH}(?!['’]s|\s+\d)", meanings.named_month),
    _rule(
        rf"\b(?:in|during|of|since|from|by|before|after|until|till|year|around|throughout|"
        rf"{_THIRD_OF})\s*{_YEAR}(?!\w)",
        meanings.named_year,
    ),
    _rule(rf"\b(?:the\s+)?(?P<season>spring|summer|autumn|fall|winter)\s+(?:of\s+)?{_YEAR}", meanings.season_named),
    _rule(r"\b(?P<which>last|this|next)\s+(?P<season>spring|summer|autumn|fall|winter)\b", meanings.season_named),
    _rule(
        r"\b(?:in|during|over)\s+the\s+(?P<season>spring|summer|autumn|fall|winter)\b"
        r"(?!\s+(?:of|semester|term|break|camp|sale))",
        meanings.season_named,
    ),
    _rule(rf"\bon\s+the\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)\b{_GOES_ON}", meanings.day_of_month),
    _rule(rf"\b(?:(?:on|at|over|since|this|(?P<which>last))\s+)(?P<feast>{_FEAST})(?!\w)", meanings.feast),
    # talks
    _rule(rf"\b(?:our|my)\s+(?:very\s+)?{_NTH}\s+(?:ever\s+)?{_OUR_TALK}\b(?!\s+with\s+(?!you\b))", meanings.talk),
    _rule(rf"\bthe\s+(?:very\s+)?{_NTH}\s+(?:time|day)\s+(?:that\s+)?(?:we|you\s+and\s+i|i|you)\s+"
          rf"(?:ever\s+)?(?:{_TALKED}(?!\s+(?!(?:to\s+|with\s+)?(?:you|me|each\s+other)\b)\w+)|"
          rf"(?:had\s+a\s+)?(?:talk|chat)(?:ed)?\s+(?:to|with)\s+(?:you|me))\b", meanings.talk),
    _rule(rf"\bwe\s+(?:had\s+)?first\s+(?:ever\s+)?{_TALKED}\b|\bwe\s+(?:{_TALKED})\s+for\s+the\s+first\s+time\b",
          meanings.talk),
    _rule(r"\bi\s+first\s+(?:met|talked\s+(?:to|with)|chatted\s+with|spoke\s+(?:to|with))\s+you\b"
          r"|\byou\s+first\s+met\s+me\b|\bwe\s+(?:first\s+)?got\s+to\s+know\s+each\s+other\b", meanings.talk),
)  # fmt: skip

RELATIVE: tuple[Rule, ...] = (
    # weekdays
    _rule(rf"\b{_WHICH}\s+{WEEKDAY}", meanings.weekday_named),
    _rule(rf"\b(?:on|since|until|till)\s+{WEEKDAY}(?!\s+(?:or|and)\s)", meanings.weekday_named),
    _rule(
        rf"(?<!every )(?<!each )(?<!\ba )\b{WEEKDAY}(?=\s+(?:morning|afternoon|evening|night)\b)",
        meanings.weekday_named,
    ),
    _rule(rf"\b{WEEKDAY}\s+(?:of\s+)?(?P<which>last|this|next)\s+week\b", meanings.weekday_of_week),
    _rule(rf"\b(?P<which>last|this|next)\s+week(?:['’]s|\s+on)?\s+{WEEKDAY}", meanings.weekday_of_week),
    _rule(r"\b(?P<which>this|last|past|previous|next|coming|the)\s+weekend\b", meanings.weekend),
    # relative
    _rule(r"\btoday\b(?!['’]s\s+(?:world|society|youth|age))", meanings.days_ago(0)),
    _rule(r"\btonight\b", meanings.days_ago(0, "evening")),
    _rule(r"\bthis\s+(?P<part>morning|afternoon|evening)\b", meanings.this_part),
    _rule(r"\byesterday\b", meanings.days_ago(1)),
    _rule(r"\blast\s+(?:night|evening)\b", meanings.days_ago(1, "evening")),
    _rule(r"\b(?:the\s+)?day\s+before\s+yesterday\b", meanings.days_ago(2)),
    _rule(r"\b(?:the\s+)?night\s+before\s+last\b", meanings.days_ago(2, "evening")),
    _rule(r"\btomorrow\b", meanings.days_ago(-1)),
    _rule(r"\b(?:the\s+)?day\s+after\s+tomorrow\b", meanings.days_ago(-2)),
    _rule(r"\b(?:the\s+)?other\s+(?:day|night|evening|morning)\b", stretch(7, 1)),
    _rule(r"\b(?:recently|lately|these\s+days|of\s+late)\b", stretch(14, 0)),
    _rule(r"\ba\s+while\s+(?:ago|back)\b|\bsome\s+time\s+ago\b", stretch(90, 7)),
    _rule(
        rf"\b(?:{_THIRD_OF}|earlier\s+|later\s+)?(?P<which>this|last|past|previous|next|coming)\s+"
        rf"(?P<unit>week|month|year)\b(?!['’]?s?\s+(?:{WEEKDAY}))",
        meanings.offset,
    ),
    _rule(rf"\b{_THIRD_OF}(?P<unit>month|year)\b", meanings.of_the),
    _rule(r"\b(?:the\s+)?(?P<unit>week|month|year)\s+before\s+last\b", meanings.before_last),
    _rule(rf"\b{_COUNT}\s+{_UNIT}s?\s+(?:ago|back|earlier)\b", meanings.ago),
    _rule(rf"\b{_COUNT}\s+{_UNIT}s?\s+from\s+(?:now|today)\b", meanings.ahead),
    _rule(
        rf"\b(?:a\s+)?(?P<few>few|couple(?:\s+of)?|several|some)\s+{_UNIT}s?\s+(?:ago|back|earlier)\b",
        meanings.few_ago,
    ),
    _rule(
        rf"\b(?:the\s+)?(?:last|past)\s+(?:{_COUNT}|(?P<few>few|couple(?:\s+of)?|several))\s+{_UNIT}s?\b",
        meanings.past,
    ),
    _rule(
        r"\b(?:\d{1,3}|an?|few|couple\s+of|several|some|two|three|half\s+an)\s+"
        r"(?:second|minute|hour)s?\s+ago\b|\bjust\s+now\b",
        meanings.days_ago(0),
    ),
)  # fmt: skip

_PART_WORDS = "|".join(sorted(PARTS, key=len, reverse=True))

GRAMMAR = Grammar(
    alphabet=re.compile(r"[A-Za-z0-9]"),
    rules=(*ABSOLUTE, *(replace(rule, relative=True) for rule in RELATIVE)),
    part_after=re.compile(rf"(?:,?\s+(?:in\s+the|at))?\s+(?P<part>{_PART_WORDS})\b", re.IGNORECASE),
    part_before=re.compile(
        rf"\b(?P<part>{_PART_WORDS})\s+(?:of|on)\s+(?:the\s+)?(?=$)", re.IGNORECASE
    ),
    parts=PARTS,
)

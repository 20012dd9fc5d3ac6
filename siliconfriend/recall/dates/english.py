"""How English names days: forms of words as data, each with what it means."""

from __future__ import annotations

import re
from dataclasses import replace

from siliconfriend.language.numbers import NUMBER_WORDS
from siliconfriend.recall.dates import english_counted, resolvers
from siliconfriend.recall.dates.english_pieces import (
    ALONE,
    ASKED_OF,
    BEFORE_LAST,
    BESIDE,
    BUT_ONE,
    COUNT,
    COUNTED_BACK,
    DAY,
    DAY_IN_WORDS,
    DAY_ONLY,
    FEAST,
    GOES_ON,
    HOLIDAY_AFTER,
    IN_YEAR,
    LAST_FEAST,
    LAST_MONTH,
    MONTH,
    MONTH_DIGITS,
    MONTH_NAMES,
    NTH,
    OF_YEAR,
    OUR_TALK,
    PART_OF,
    PLANNED,
    SEASON,
    TALKED,
    THIRD_OF,
    TOLD_OF,
    UNIT,
    WEEKDAY,
    WHICH_ONE,
    WHOLE,
    YEAR,
    YEARS_AGO,
    counts_things,
    form,
    might_be_a_fraction,
    might_be_a_verb,
    might_be_a_word,
    one_of,
)
from siliconfriend.recall.dates.english_quick_look import MAY_NAME_A_DAY
from siliconfriend.recall.dates.english_words import PARTS, READERS
from siliconfriend.recall.dates.slots import Form, Grammar, Slots

ABSOLUTE: tuple[Form, ...] = (
    form(
        r"(?<![\d./-])(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d|[-/.]\d)",
        resolvers.month_and_day,
    ),
    # 4/28/2023, 28/04/2023, 04/28, on 4/5: the month first unless it cannot be one
    form(
        rf"(?<![\d./-]){MONTH_DIGITS}(?P<mark>[-/.])(?P<day>\d{{1,2}})(?P=mark)(?P<year>\d{{4}})(?!\d|[-/.]\d)",
        resolvers.month_and_day,
    ),
    form(
        rf"(?<![\d./-]){DAY_ONLY}(?P<mark>[-/.]){MONTH_DIGITS}(?P=mark)(?P<year>\d{{4}})(?!\d|[-/.]\d)",
        resolvers.month_and_day,
    ),
    form(rf"(?<![\d./-]){MONTH_DIGITS}/(?P<day>\d{{1,2}})/(?P<year>\d\d)(?![\d/.-])", resolvers.month_and_day),
    form(rf"(?<![\d./-]){DAY_ONLY}/{MONTH_DIGITS}/(?P<year>\d\d)(?![\d/.-])", resolvers.month_and_day),
    form(
        rf"(?<![\d./-]){MONTH_DIGITS}/(?P<day>\d{{1,2}})(?![\d/%-]|\.\d)",
        resolvers.month_and_day,
        veto=might_be_a_fraction,
    ),
    form(
        rf"(?<![\d./-]){DAY_ONLY}/{MONTH_DIGITS}(?![\d/%-]|\.\d)",
        resolvers.month_and_day,
        veto=might_be_a_fraction,
    ),
    form(rf"\b{MONTH}\s*(?:the\s+)?{DAY}{OF_YEAR}?", resolvers.month_and_day, veto=might_be_a_verb),
    form(rf"(?<![\d.,:/])\b{DAY}\s+(?:of\s+)?{MONTH}{OF_YEAR}?", resolvers.month_and_day, veto=might_be_a_verb),
    form(rf"\b{DAY_IN_WORDS}\s+of\s+{MONTH}{OF_YEAR}?", resolvers.month_and_day, veto=might_be_a_word),
    form(rf"\b{MONTH}\s+the\s+{DAY_IN_WORDS}{OF_YEAR}?", resolvers.month_and_day, veto=might_be_a_word),
    form(
        rf"\b{MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:-|–|to|through)\s*"
        rf"(?P<last_day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w%$:/]|[.,:]\d)(?:,?\s+{YEAR})?",
        resolvers.month_and_day,
    ),
    form(
        rf"\b(?:from|between)\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:to|till|until|through|and|-|–)\s*"
        rf"(?:the\s+)?(?P<last_day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}{OF_YEAR}?",
        resolvers.month_and_day,
    ),
    form(
        rf"(?<![\d.,:/])\b(?P<day>\d{{1,2}})(?P<ordinal>st|nd|rd|th)?\s*(?:to|till|until|through|-|–)\s*"
        rf"(?:the\s+)?(?P<last_day>[1-9]\d?)(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}{OF_YEAR}?",
        resolvers.month_and_day,
        veto=might_be_a_verb,
    ),
    form(
        rf"\b(?:(?:in|during|since|throughout|around)\s+)?{THIRD_OF}?{MONTH}{OF_YEAR}",
        resolvers.month,
        veto=might_be_a_word,
    ),
    form(rf"\b{IN_YEAR}(?:in\s+)?{THIRD_OF}?{MONTH}(?!['’]s|\s+\d)", resolvers.month),
    form(rf"\b(?:the\s+)?{MONTH}\s+{BEFORE_LAST}", resolvers.month),
    form(rf"\b(?:the\s+)?last\s+{MONTH}\s+{BUT_ONE}", resolvers.month, Slots(which=-2)),
    form(rf"\b{COUNTED_BACK}\s+(?P<month>{MONTH_NAMES})s\s+ago\b", resolvers.month),
    form(
        rf"\b(?:from|between)\s+(?:(?:early|mid|late)[\s-]+)?{MONTH}\s*(?:to|till|until|through|and|-|–)\s*{LAST_MONTH}"
        rf"(?!\s+\d{{1,2}}\b){OF_YEAR}?",
        resolvers.months,
    ),
    form(
        r"\b(?:from|between)\s+(?P<year>(?:19|20)\d\d)\s*(?:to|till|until|through|and|-|–)\s*"
        r"(?P<last_year>(?:19|20)\d\d)(?!\w)",
        resolvers.years,
        veto=counts_things,
    ),
    form(r"(?<![\d./-])(?P<year>(?:19|20)\d\d)[-/](?P<month>\d{2})(?![\d]|[-/.]\d)", resolvers.month),
    form(
        rf"\b(?:in\s+)?(?:the\s+)?(?:in|during|since|throughout|until|till|around|{THIRD_OF}?{WHICH_ONE})"
        rf"\s+{MONTH}(?!['’]s|\s+\d)",
        resolvers.month,
    ),
    form(rf"\b(?:by|come)\s+{MONTH}(?!['’]s|\s+\d)", resolvers.month_to_come, veto=might_be_a_word),
    form(rf"\b(?:{PLANNED})for\s+{MONTH}(?!['’]s|\s+\d)", resolvers.month),
    form(rf"\b{THIRD_OF}{MONTH}(?!['’]s|\s+\d)", resolvers.month),
    form(
        rf"\b(?:in|during|of|since|from|by|before|after|until|till|year|around|throughout|"
        rf"{THIRD_OF})\s*{YEAR}(?!\w)",
        resolvers.year,
        veto=counts_things,
    ),
    form(
        rf"(?:\b(?:my|our)\s+|(?<=\bwith me on )|(?<=\bwas )|(?<=\bdid )|{TOLD_OF}){YEAR}{ALONE}",
        resolvers.year,
        veto=counts_things,
    ),
    form(
        rf"\b(?:in\s+)?(?:the\s+)?(?P<half>first|second)\s+half\s+of\s+(?:{YEAR}|{YEARS_AGO})",
        resolvers.year,
    ),
    # seasons
    form(
        rf"\b(?:(?:in|during|over|since|throughout)\s+)?(?:the\s+)?{THIRD_OF}?{SEASON}{OF_YEAR}",
        resolvers.season,
    ),
    form(rf"\b{IN_YEAR}(?:in\s+)?(?:the\s+)?{THIRD_OF}?{SEASON}\b", resolvers.season),
    form(rf"\b(?:the\s+)?{THIRD_OF}?{SEASON}\s+{BEFORE_LAST}", resolvers.season),
    form(rf"\b(?:the\s+)?last\s+{SEASON}\s+{BUT_ONE}", resolvers.season, Slots(which=-2)),
    form(rf"\b{COUNTED_BACK}\s+{SEASON}s\s+(?:ago|back)\b", resolvers.season),
    form(
        rf"(?<!\bmy )(?<!\bhis )(?<!\bher )\b{THIRD_OF}?(?:this|(?P<which>last|next))\s+{SEASON}\b",
        resolvers.season,
    ),
    form(
        rf"\b(?:in|during|over|since|throughout)\s+the\s+{THIRD_OF}?{SEASON}\b"
        r"(?!\s+(?:of|semester|term|break|camp|sale))",
        resolvers.season,
    ),
    form(rf"\b(?:in|during|since)\s+{THIRD_OF}?{SEASON}\b{GOES_ON}", resolvers.season),
    form(
        rf"\bhow\s+(?:was|did\s+(?:i|we)\s+spend)\s+(?:my|our|the)\s+{SEASON}\b"
        r"(?!\s+(?!(?:in|at|with|like)\b)\w)",
        resolvers.season,
    ),
    form(
        rf"\b(?:(?:of|about|from|in)\s+)?(?:my|our)\s+{WHOLE}{THIRD_OF}?{SEASON}\b{ALONE}",
        resolvers.season,
    ),
    form(rf"{PART_OF}of\s+the\s+{WHOLE}{SEASON}\b{ALONE}", resolvers.season),
    form(
        rf"\bhow\s+(?:was|did\s+(?:i|we)\s+spend)\s+(?:my\s+|our\s+)?{MONTH}\b{ALONE}",
        resolvers.month,
    ),
    form(rf"{PART_OF}of\s+{MONTH}(?!['’]s|\s+\d)", resolvers.month),
    form(rf"\bon\s+the\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)\b{GOES_ON}", resolvers.day_of_month),
    # feasts
    form(rf"\b(?:on\s+|at\s+)?(?:the\s+)?last\s+{FEAST}\s+{BUT_ONE}", resolvers.feast, Slots(which=-2)),
    form(
        rf"\b(?:(?:on|at|by|since|after|during|until|till|for|from|of|between|this|"
        rf"(?P<which>last|next|past|previous))\s+(?:the\s+)?){FEAST}{OF_YEAR}?",
        resolvers.feast,
    ),
    form(rf"(?:{ASKED_OF}|{BESIDE}){FEAST}{OF_YEAR}?", resolvers.feast),
    form(rf"\b{FEAST}(?=\s+(?:was|went|is\s+(?:coming|nearly|almost)|will)\b)", resolvers.feast),
    form(rf"\b{FEAST}{OF_YEAR}", resolvers.feast),
    form(rf"\b{IN_YEAR}{FEAST}", resolvers.feast),
    form(rf"\b(?:see|saw|seen|seeing|ring|rang|rung|ringing)\s+in\s+{YEAR}", resolvers.turn_of_year),
    form(rf"\b(?:on\s+|at\s+)?(?:the\s+)?{FEAST}\s+{BEFORE_LAST}", resolvers.feast),
    form(
        rf"\b{COUNTED_BACK}\s+(?P<feast>christmas|easter|halloween|thanksgiving)(?:e?s)?\s+ago\b",
        resolvers.feast,
    ),
    form(
        rf"\b(?P<holiday>over|around)\s+(?:the\s+)?(?:(?P<which>last|next)\s+)?{FEAST}"
        rf"(?:\s+(?:holidays?|weekend|break|period))?{OF_YEAR}?",
        resolvers.feast,
    ),
    form(
        rf"\b(?:(?:on|at|in|during|over|since|for|this|(?P<which>last|next))\s+(?:the\s+)?)?"
        rf"{FEAST}{HOLIDAY_AFTER}\b{OF_YEAR}?",
        resolvers.feast,
    ),
    form(
        rf"\b(?:from|between)\s+(?:(?P<which>last|next)\s+)?{FEAST}\s+(?:and|to|till|until|through)\s+"
        rf"{LAST_FEAST}{OF_YEAR}?",
        resolvers.feasts,
    ),
    # talks
    form(rf"\b(?:our|my)\s+(?:very\s+)?{NTH}\s+(?:ever\s+)?{OUR_TALK}\b(?!\s+with\s+(?!you\b))", resolvers.talk),
    form(rf"\bthe\s+(?:very\s+)?{NTH}\s+(?:time|day)\s+(?:that\s+)?(?:we|you\s+and\s+i|i|you)\s+"
          rf"(?:ever\s+)?(?:{TALKED}(?!\s+(?!(?:to\s+|with\s+)?(?:you|me|each\s+other)\b)\w+)|"
          rf"(?:had\s+a\s+)?(?:talk|chat)(?:ed)?\s+(?:to|with)\s+(?:you|me))\b", resolvers.talk),
    form(rf"\bwe\s+(?:had\s+)?first\s+(?:ever\s+)?{TALKED}\b|\bwe\s+(?:{TALKED})\s+for\s+the\s+first\s+time\b",
          resolvers.talk),
    form(r"\bi\s+first\s+(?:met|talked\s+(?:to|with)|chatted\s+with|spoke\s+(?:to|with))\s+you\b"
          r"|\byou\s+first\s+met\s+me\b|\bwe\s+(?:first\s+)?got\s+to\s+know\s+each\s+other\b", resolvers.talk),
    form(r"\b(?:we|i)\s+(?:talk|chat|speak|discuss|say|tell\s+you)(?:\s+(?:about|of|to\s+you))?\s+(?:the\s+)?"
         r"(?P<nth>last|first)\s+time\b(?=\W*$)", resolvers.talk),
    form(r"\bthe\s+(?:very\s+)?first\s+things?\s+(?:that\s+)?(?:i|we)\s+(?:ever\s+)?"
         r"(?:told\s+you|said(?:\s+to\s+you)?|talked\s+about)\b(?=\W*$)", resolvers.talk),
)  # fmt: skip

RELATIVE: tuple[Form, ...] = (
    # weekdays
    form(rf"\b{WHICH_ONE}\s+{WEEKDAY}", resolvers.weekday),
    form(rf"\b(?:on|since|until|till)\s+{WEEKDAY}(?!\s+(?:or|and)\s)", resolvers.weekday),
    form(
        rf"(?<!every )(?<!each )(?<!\ba )\b{WEEKDAY}(?=\s+(?:morning|afternoon|evening|night)\b)",
        resolvers.weekday,
    ),
    form(rf"\b{WEEKDAY}\s+(?:of\s+)?(?P<which>last|this|next)\s+week\b", resolvers.offset_unit, Slots(unit="week")),
    form(rf"\b(?P<which>last|this|next)\s+week(?:['’]s|\s+on)?\s+{WEEKDAY}", resolvers.offset_unit, Slots(unit="week")),
    form(r"\b(?:the|(?P<which>this|last|past|previous|next))\s+(?P<weekend>weekend)\b", resolvers.weekday),
    form(r"\bcoming\s+(?P<weekend>weekend)\b", resolvers.weekday, Slots(which=0)),
    # relative
    form(
        r"\b(?:in\s+|over\s+|during\s+|for\s+)?(?:the\s+)?(?:coming|next)\s+month\s+and\s+a\s+half\b",
        resolvers.coming, Slots(number=45, unit="day"),
    ),
    form(r"\b(?:the\s+)?last\s+(?P<unit>week|month|year)\s+but\s+one\b", resolvers.offset_unit, Slots(which=-2)),
    form(r"\btoday\b(?!['’]s\s+(?:world|society|youth|age))", resolvers.days_back, Slots(days_back=0)),
    form(r"\btonight\b", resolvers.days_back, Slots(days_back=0, part="evening")),
    form(r"\bthis\s+(?P<part>morning|afternoon|evening)\b", resolvers.days_back),
    form(r"\byesterday\b", resolvers.days_back, Slots(days_back=1)),
    form(r"\blast\s+(?:night|evening)\b", resolvers.days_back, Slots(days_back=1, part="evening")),
    form(r"\b(?:the\s+)?day\s+before\s+yesterday\b", resolvers.days_back, Slots(days_back=2)),
    form(r"\b(?:the\s+)?night\s+before\s+last\b", resolvers.days_back, Slots(days_back=2, part="evening")),
    form(r"\btomorrow\b", resolvers.days_back, Slots(days_back=-1)),
    form(r"\b(?:the\s+)?day\s+after\s+tomorrow\b", resolvers.days_back, Slots(days_back=-2)),
    form(r"\b(?:the\s+)?other\s+(?:day|night|evening|morning)\b", resolvers.stretch, Slots(stretch=(7, 1))),
    form(r"\b(?:recently|lately|these\s+days|of\s+late)\b", resolvers.stretch, Slots(stretch=(14, 0))),
    form(r"\ba\s+while\s+(?:ago|back)\b|\bsome\s+time\s+ago\b", resolvers.stretch, Slots(stretch=(90, 7))),
    form(
        rf"\b(?:{THIRD_OF}|earlier\s+|later\s+)?(?P<which>this|last|past|previous|next|coming)\s+"
        rf"(?P<unit>week|month|year)\b(?!['’]?s?\s+(?:{WEEKDAY}))",
        resolvers.offset_unit,
    ),
    form(rf"\b{THIRD_OF}(?P<unit>month|year)\b", resolvers.third_of_unit),
    form(r"\b(?:the\s+)?(?P<unit>week|month|year)\s+before\s+last\b", resolvers.offset_unit, Slots(which=-2)),
    form(rf"\b{COUNT}\s+{UNIT}s?\s+(?:ago|back|earlier)\b", resolvers.ago),
    form(r"\b(?:a|one)\s+fortnight\s+(?:ago|back)\b", resolvers.ago, Slots(number=2, unit="week")),
    form(r"\b(?:(?:in|over)\s+)?the\s+(?:coming|next)\s+fortnight\b", resolvers.coming, Slots(number=2, unit="week")),
    form(r"\b(?:(?:in|over)\s+)?the\s+(?:last|past)\s+fortnight\b", resolvers.past, Slots(number=2, unit="week")),
    form(r"\b(?:at\s+)?(?:this|the\s+same)\s+time\s+last\s+year\b", resolvers.ago, Slots(number=12, unit="month")),
    form(
        r"\b(?:half\s+an?|a\s+half|half)[\s-]+year\s+(?:ago|back|earlier)\b",
        resolvers.ago, Slots(number=6, unit="month"),
    ),
    form(
        rf"\b{COUNT}\s+(?:years?\s+and\s+a\s+half|and\s+a\s+half\s+years?)\s+(?:ago|back)\b",
        resolvers.ago_and_half,
    ),
    form(r"\b(?:over\s+|in\s+|during\s+)?(?:the\s+)?(?:last|past)\s+half\s+(?:a\s+)?year\b",
          resolvers.past, Slots(number=6, unit="month")),
    form(r"\b(?:in\s+)?(?:the\s+)?(?P<half>first|second)\s+half\s+of\s+the\s+year\b", resolvers.half_year),
    form(rf"\b(?:(?:of|about|from|in)\s+)?(?:my|our)\s+{WHOLE}year\b{ALONE}", resolvers.own_year),
    form(rf"{PART_OF}of\s+the\s+{WHOLE}year\b{ALONE}", resolvers.own_year),
    form(rf"\bthe\s+(?:last|past)\s+year\b{ALONE}", resolvers.past, Slots(number=1, unit="year")),
    form(r"(?:(?<=\bkind of )|(?<=\bsort of ))(?:a\s+)?year(?=\s+(?:did|have|has)\b)", resolvers.own_year),
    form(rf"{TOLD_OF}the\s+{WHOLE}year\b{ALONE}", resolvers.own_year),
    form(
        rf"\b(?:in\s+|over\s+|during\s+|for\s+)?(?:the\s+)?(?:coming|next)\s+"
        rf"(?:{COUNT}\s+|(?:few|couple(?:\s+of)?|several)\s+)?{UNIT}s\b",
        resolvers.coming,
    ),
    form(rf"\bin\s+{COUNT}\s+{UNIT}s?['’]?\s+time\b", resolvers.ahead),
    form(rf"\blater\s+(?:this\s+|in\s+the\s+){UNIT}\b", resolvers.rest),
    form(rf"\b(?:for\s+)?the\s+rest\s+of\s+(?:the|this)\s+{UNIT}\b", resolvers.rest),
    form(r"\bfrom\s+now(?:\s+on)?\b", resolvers.days_back),
    form(rf"\b{COUNT}\s+{UNIT}s?\s+from\s+(?:now|today)\b", resolvers.ahead),
    form(
        rf"\b(?:a\s+)?(?:few|several|some)\s+{UNIT}s?\s+(?:ago|back|earlier)\b", resolvers.few_ago
    ),
    form(rf"\b(?:a\s+)?couple(?:\s+of)?\s+{UNIT}s?\s+(?:ago|back|earlier)\b", resolvers.couple_ago),
    form(
        rf"\b(?:the\s+)?(?:last|past)\s+(?:{COUNT}|(?:few|couple(?:\s+of)?|several))\s+{UNIT}s?\b",
        resolvers.past,
    ),
    form(
        r"\b(?:\d{1,3}|an?|few|couple\s+of|several|some|two|three|half\s+an)\s+"
        r"(?:second|minute|hour)s?\s+ago\b|\bjust\s+now\b",
        resolvers.days_back, Slots(days_back=0),
    ),
)  # fmt: skip

_PART_WORDS = one_of(PARTS)

GRAMMAR = Grammar(
    alphabet=MAY_NAME_A_DAY,
    readers=READERS,
    forms=(
        *ABSOLUTE,
        *english_counted.ABSOLUTE,
        *(replace(it, relative=True) for it in (*RELATIVE, *english_counted.RELATIVE)),
    ),
    part_after=re.compile(rf"(?:,?\s+(?:in\s+the|at))?\s+(?P<part>{_PART_WORDS})\b", re.IGNORECASE),
    part_before=re.compile(
        rf"\b(?P<part>{_PART_WORDS})\s+(?:of|on)\s+(?:the\s+)?(?=$)", re.IGNORECASE
    ),
    weekday_before=re.compile(
        rf"\b(?:(?:on|this|next|last|coming)\s+)?{WEEKDAY},?\s+(?:the\s+)?(?=$)", re.IGNORECASE
    ),
    weekday_after=re.compile(rf"(?:,|\s+is(?:\s+an?)?)?\s+\(?{WEEKDAY}(?!\s+\d)\)?", re.IGNORECASE),
    beside=re.compile(
        rf"\b(?:(?:on|in|over|at)\s+)?(?:the|(?P<number>an?|\d{{1,2}}|{NUMBER_WORDS}))\s+"
        rf"(?:(?P<unit>day|week|month)s?|(?P<weekend>weekend)|(?P<part>{_PART_WORDS}))\s+"
        r"(?P<side>before|after|of)\s+(?:the\s+)?(?=$)",
        re.IGNORECASE,
    ),
    since_before=re.compile(r"\b(?:ever\s+)?since\s+(?:the\s+)?", re.IGNORECASE),
    since_after=re.compile(r"(?!)"),
    future=re.compile(
        r"^(?!.*\b(?:did|was|were|had|told|said|happened|remember|went|last)\b).*"
        r"(?:\b(?:plan(?:s|ned|ning)?|booked|scheduled|upcoming|coming\s+up|going\s+to|diary|"
        r"calendar|agenda|from\s+now|ahead|in\s+store|have\s+(?:i|we)\s+(?:got\s+)?anything|"
        r"is\s+there\s+anything|anything\s+on|"
        r"am\s+i\s+(?:doing|going)|are\s+we\s+(?:doing|going)|will\s+(?:i|we|be))\b)",
        re.IGNORECASE | re.DOTALL,
    ),
)

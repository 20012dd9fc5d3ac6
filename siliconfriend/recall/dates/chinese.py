"""How Chinese names days: forms of words as data, each with what it means.

Chinese has no spaces to end a word at, so each form also says what may not stand beside it:
一号楼, 三号线, 以前天气, 一周三次 and 发明天才 hold the characters of a date and are none.
"""

from __future__ import annotations

import re
from dataclasses import replace

from siliconfriend.recall.dates import chinese_meanings as meanings
from siliconfriend.recall.dates.almanac import one_day
from siliconfriend.recall.dates.chinese_words import FEASTS, PARTS
from siliconfriend.recall.dates.rules import Grammar, Resolve, Rule, stretch, told

_NUM = r"(?:\d{1,4}|[零〇一二三四五六七八九十两百]{1,5})"
_YEAR = r"(?P<year>(?<!\d)(?:19|20)?\d\d|[零〇一二三四五六七八九]{4})\s?年"
_MONTH = r"(?<![\d.零〇一二三四五六七八九十百])(?P<month>\d{1,2}|[一二三四五六七八九十]{1,2})\s?月"
_MONTHLESS_AFTER = r"(?![天饼球亮光票薪租])"
_SUFFIX = r"(?:[日号]|(?=\s*(?:$|[,.?!;:、。]|的|我|你|那|这)))"
_NO_DATE_AFTER = (
    r"(?![楼线院店机码门桌房室馆厅车路台令球选信电坑鞋字染床舱公文船仓桥站口会窗柜位员人技工厂井屋别"
    r"教宿食元首病作影导卫探航游内间程本志期子常报记历出女男队嫌])"
)
_DAY = r"(?P<day>\d{1,2}|[一二三四五六七八九十廿卅]{1,4})"
_WEEK = r"(?:周|星期|礼拜)"
_TIMES = r"(?![次个天种条遍回节年月小顿场趟分点])"
_UNIT = r"(?P<unit>天|日|个?周|个?星期|个?礼拜|个月|年)"
_RELATIVE_YEAR = r"(?P<which>大前年|(?<!大)前年|去年|上一年|今年|本年|明年)"
_RELATIVE_MONTH = r"(?:(?P<which>上上|上|这|本|当|下下|下)(?:一?个)?月份?)"
_THIRD = r"(?P<third>初|上旬|中旬|下旬|中|底|末)"
_TALK = r"(?:聊天|对话|聊|交谈|谈话|交流|说话|见面|认识|相识|相遇)"
_US = r"(?:我们俩?|咱们俩?|咱俩|我俩|我[和跟与]你|你[和跟与]我|[和跟与]你)"
_WITH_YOU = r"(?:[和跟与]你)?"
_NTH = r"第(?P<nth>[一二三四五六七八九十]{1,2}|\d{1,2})[次回]"


def _rule(pattern: str, resolve: Resolve) -> Rule:
    return Rule(re.compile(pattern), resolve)


_FEAST = "|".join(FEASTS)

ABSOLUTE: tuple[Rule, ...] = (
    _rule(rf"(?:{_YEAR}\s?|{_RELATIVE_YEAR}的?)?{_MONTH}\s?{_DAY}\s?{_SUFFIX}", meanings.month_and_day),
    _rule(
        rf"(?:{_YEAR}\s?|{_RELATIVE_YEAR}的?)?{_MONTH}\s?{_DAY}[日号]?(?:到|至|-|~|—)"
        r"(?P<last>\d{1,2}|[一二三四五六七八九十]{1,3})[日号]",
        meanings.month_and_day,
    ),
    _rule(
        rf"(?:{_YEAR}\s?|{_RELATIVE_YEAR}的?)?{_MONTH}(?:份)?{_MONTHLESS_AFTER}(?:{_THIRD}(?![国学文年]))?",
        meanings.month_named,
    ),
    _rule(rf"{_YEAR}(?:{_THIRD}(?![国学文]))?(?![前后内间级代月])", meanings.year_named),
    _rule(rf"{_RELATIVE_YEAR}(?:的?年?{_THIRD}(?![国学文]))?(?!度)", meanings.year_named),
    _rule(rf"(?:{_YEAR}|{_RELATIVE_YEAR})的?(?P<season>[春夏秋冬])[天季]?", meanings.season_named),
    _rule(
        rf"(?:(?:{_YEAR}|{_RELATIVE_YEAR})的?)?(?P<feast>{_FEAST})(?![个些条种])",
        meanings.feast,
    ),
    _rule(
        rf"(?<![\d.一二三四五六七八九十百月第几大小])(?P<day>\d{{1,2}}|[一二三四五六七八九十廿卅]{{1,3}})号"
        rf"{_NO_DATE_AFTER}",
        meanings.day_of_month,
    ),
    _rule(
        rf"(?<![\d.年月零一二三四五六七八九十百第几个])(?P<day>\d{{1,2}})日(?![常前后]|[\d]){_NO_DATE_AFTER}",
        meanings.day_of_month,
    ),
    # talks
    _rule(rf"{_US}[^,.?!。]{{0,3}}?{_NTH}(?:开始)?{_WITH_YOU}{_TALK}", meanings.talk),
    _rule(rf"{_US}[^,.?!。]{{0,3}}?(?:初次|首次|最初|最开始|刚开始|刚刚?|最早){_WITH_YOU}{_TALK}", meanings.talk),
    _rule(
        rf"(?<![和跟与])(?<![和跟与].)(?<![和跟与]..)(?<![和跟与]...){_NTH}"
        r"(?:[和跟与]你(?:聊天|对话|聊|说话|见面)|聊天|对话|交谈|谈话)",
        meanings.talk,
    ),
    _rule(r"(?:第一天|刚|刚刚|最初|初次|最开始)(?:[和跟与]你)?(?:认识|相识)(?=你|的时候|那天|时|$|[,.?!。])", meanings.talk),
    _rule(r"(?:我们|咱们|咱俩)?(?:上一?[次回])(?:我们|咱们|咱俩|[和跟与]你|你我)?(?:聊天|对话|聊|交谈|谈话)", told(lambda almanac: almanac.talk(-1))),
)  # fmt: skip

RELATIVE: tuple[Rule, ...] = (
    # months and weeks from here
    _rule(
        rf"{_RELATIVE_MONTH}(?:{_THIRD}(?![国学文])|的?{_DAY}[日号])?",
        meanings.offset_month,
    ),
    _rule(r"(?<![早晚])(?P<unit>月)(?P<third>[初底末中])(?!旬)", meanings.third_of_this),
    _rule(r"(?<![早晚以至])(?P<unit>年)(?P<third>[初底末])", meanings.third_of_this),
    _rule(
        rf"(?P<which>上上|上|这|本|下下|下)(?:一?个)?{_WEEK}(?:的?{_WEEK}?(?P<weekday>[一二三四五六日天末]){_TIMES})?",
        meanings.offset_week,
    ),
    _rule(
        rf"(?<![每各逢隔\d一二三四五六七八九十两几半个上这本下双单])(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天末])"
        rf"{_TIMES}(?![到至和、]?(?:周|星期|礼拜))(?![杰鸣围福])",
        meanings.weekday_named,
    ),
    # days from here
    _rule(r"(?P<day>大前)[天日]", meanings.relative_day),
    _rule(r"(?<![大以之从目提生])(?P<day>前)(?:天(?![气才空天])|(?P<short>晚|夜)(?![饭会期]))", meanings.relative_day),
    _rule(r"(?P<day>昨)(?:[天日儿]|(?P<short>早|晨|晚|夜))", meanings.relative_day),
    _rule(r"(?<!当)(?P<day>今)(?:[天日儿](?!下)|(?P<short>早|晨|晚|夜))", meanings.relative_day),
    _rule(r"(?<![发说声证照表聪光])(?P<day>明)(?:[天日儿](?![才气])|(?P<short>早|晨|晚)(?!期))", meanings.relative_day),
    _rule(r"(?P<day>大后)[天日]", meanings.relative_day),
    _rule(r"(?<![大以之今然最背落先前])(?P<day>后)天(?![性形努培养气才天])", meanings.relative_day),
    _rule(
        rf"(?<![\d.第])(?P<number>{_NUM})(?<!百){_UNIT}(?:以前|之前|前)(?![台面])",
        meanings.ago,
    ),
    _rule(rf"(?<![\d.第])(?P<number>{_NUM}){_UNIT}(?:以后|之后)", told(lambda _: None)),
    _rule(rf"(?:再过|过)(?P<number>{_NUM}){_UNIT}(?!的)", meanings.ahead),
    _rule(rf"(?:好)?(?:几|数|若干){_UNIT}(?:以前|之前|前)", meanings.few_ago),
    _rule(r"半年(?:以前|之前|前)", told(lambda almanac: almanac.ago(6, "month"))),
    _rule(r"半个月(?:以前|之前|前)", told(lambda almanac: almanac.ago(2, "week"))),
    _rule(rf"(?:过去|最近|近)的?这?(?P<number>{_NUM}|几){_UNIT}(?!前)", meanings.past),
    _rule(r"前几[天日]|前些(?:天|日子)", stretch(10, 2)),
    _rule(r"前两天", stretch(4, 1)),
    _rule(r"这(?:几|两|些)天|这些日子", stretch(7, 0)),
    _rule(r"前一?阵子?|前(?:一)?段时间|前段日子", stretch(60, 7)),
    _rule(r"最近|近来|近期|近日", stretch(14, 0)),
    _rule(r"不久(?:以前|之前|前)", stretch(14, 1)),
    _rule(r"刚才|刚刚(?=说|讲|聊|提|问)", told(lambda almanac: one_day(almanac.today))),
)  # fmt: skip

_PART_WORDS = "|".join(sorted(PARTS, key=len, reverse=True))

GRAMMAR = Grammar(
    alphabet=re.compile(r"[\u3400-\u9fff]"),
    rules=(*ABSOLUTE, *(replace(rule, relative=True) for rule in RELATIVE)),
    part_after=re.compile(
        rf"(?:这天|那天|当天)?的?(?P<part>{_PART_WORDS})(?!饭|餐|会|安|霞|点|期|年)"
    ),
    part_before=re.compile(r"(?P<part>(?!))"),
    parts=PARTS,
)

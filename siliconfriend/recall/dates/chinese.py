"""How Chinese names days: forms of words as data, each with what it means.

Chinese has no spaces to end a word at, so each form also says what may not stand beside it:
一号楼, 三号线, 以前天气, 一周三次 and 发明天才 hold the characters of a date and are none.
"""

from __future__ import annotations

import re
from dataclasses import replace

from siliconfriend.language.characters import HAN
from siliconfriend.language.numbers import parse_number
from siliconfriend.recall.dates import resolvers
from siliconfriend.recall.dates.calendar import PartOfDay, Third, Unit
from siliconfriend.recall.dates.slots import UNSAID, Form, Grammar, Reader, Resolver, Slots

WEEKDAYS = {character: number for number, character in enumerate("一二三四五六日")} | {"天": 6}
DAYS_BACK = {
    "大前": 3,
    "前": 2,
    "昨": 1,
    "今": 0,
    "当": 0,
    "明": -1,
    "后": -2,
    "大后": -3,
}
YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0, "明年": 1}
WHICH = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1, "下下": 2}
SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
THIRDS: dict[str, Third] = {
    "初": 0,
    "上旬": 0,
    "中": 1,
    "中旬": 1,
    "底": 2,
    "末": 2,
    "下旬": 2,
}
UNITS: dict[str, Unit] = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "年": "year",
}
PARTS: dict[str, PartOfDay] = {
    "早上": "morning",
    "早晨": "morning",
    "清晨": "morning",
    "清早": "morning",
    "一早": "morning",
    "大早上": "morning",
    "上午": "morning",
    "中午": "afternoon",
    "午后": "afternoon",
    "下午": "afternoon",
    "傍晚": "evening",
    "晚上": "evening",
    "晚间": "evening",
    "夜里": "evening",
    "夜晚": "evening",
    "夜间": "evening",
    "深夜": "evening",
    "半夜": "evening",
    "凌晨": "evening",
    "晚": "evening",
}
SHORT_PARTS: dict[str, PartOfDay] = {
    "早": "morning",
    "晨": "morning",
    "晚": "evening",
    "夜": "evening",
}
FEASTS = {
    "元旦": (1, 1),
    "情人节": (2, 14),
    "妇女节": (3, 8),
    "愚人节": (4, 1),
    "劳动节": (5, 1),
    "五一": (5, 1),
    "儿童节": (6, 1),
    "六一": (6, 1),
    "教师节": (9, 10),
    "国庆": (10, 1),
    "万圣节": (10, 31),
    "平安夜": (12, 24),
    "圣诞": (12, 25),
}
READERS: dict[str, Reader] = {
    "year": parse_number,
    "year_offset": YEARS.__getitem__,
    "month": parse_number,
    "day": parse_number,
    "last_day": parse_number,
    "weekday": WEEKDAYS.__getitem__,
    "weekend": bool,
    "season": SEASONS.__getitem__,
    "feast": FEASTS.__getitem__,
    "part": (PARTS | SHORT_PARTS).__getitem__,
    "third": THIRDS.__getitem__,
    "unit": lambda words: UNITS[words.removeprefix("个")],
    "number": parse_number,
    "which": WHICH.__getitem__,
    "days_back": DAYS_BACK.__getitem__,
    "nth": parse_number,
}
"""What the named groups of the patterns hold, as the values of slots."""

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
_WEEKDAY = r"(?:(?P<weekday>[一二三四五六日天])|(?P<weekend>末))"
_WEEK = r"(?:周|星期|礼拜)"
_TIMES = r"(?![次个天种条遍回节年月小顿场趟分点])"
_UNIT = r"(?P<unit>天|日|个?周|个?星期|个?礼拜|个月|年)"
_RELATIVE_YEAR = r"(?P<year_offset>大前年|(?<!大)前年|去年|上一年|今年|本年|明年)"
_RELATIVE_MONTH = r"(?:(?P<which>上上|上|这|本|当|下下|下)(?:一?个)?月份?)"
_THIRD = r"(?P<third>初|上旬|中旬|下旬|中|底|末)"
_TALK = r"(?:聊天|对话|聊|交谈|谈话|交流|说话|见面|认识|相识|相遇)"
_US = r"(?:我们俩?|咱们俩?|咱俩|我俩|我[和跟与]你|你[和跟与]我|[和跟与]你)"
_WITH_YOU = r"(?:[和跟与]你)?"
_NTH = r"第(?P<nth>[一二三四五六七八九十]{1,2}|\d{1,2})[次回]"


def _form(pattern: str, resolve: Resolver, given: Slots = UNSAID) -> Form:
    return Form(re.compile(pattern), resolve, given=given)


_FEAST = "|".join(FEASTS)

ABSOLUTE: tuple[Form, ...] = (
    _form(rf"(?:{_YEAR}\s?|{_RELATIVE_YEAR}的?)?{_MONTH}\s?{_DAY}\s?{_SUFFIX}", resolvers.month_and_day),
    _form(
        rf"(?:{_YEAR}\s?|{_RELATIVE_YEAR}的?)?{_MONTH}\s?{_DAY}[日号]?(?:到|至|-|~|—)"
        r"(?P<last_day>\d{1,2}|[一二三四五六七八九十]{1,3})[日号]",
        resolvers.month_and_day,
    ),
    _form(
        rf"(?:{_YEAR}\s?|{_RELATIVE_YEAR}的?)?{_MONTH}(?:份)?{_MONTHLESS_AFTER}(?:{_THIRD}(?![国学文年]))?",
        resolvers.month,
    ),
    _form(rf"{_YEAR}(?:{_THIRD}(?![国学文]))?(?![前后内间级代月])", resolvers.year),
    _form(rf"{_RELATIVE_YEAR}(?:的?年?{_THIRD}(?![国学文]))?(?!度)", resolvers.year),
    _form(rf"(?:{_YEAR}|{_RELATIVE_YEAR})的?(?P<season>[春夏秋冬])[天季]?", resolvers.season),
    _form(
        rf"(?:(?:{_YEAR}|{_RELATIVE_YEAR})的?)?(?P<feast>{_FEAST})(?![个些条种])",
        resolvers.feast,
    ),
    _form(
        rf"(?<![\d.一二三四五六七八九十百月第几大小])(?P<day>\d{{1,2}}|[一二三四五六七八九十廿卅]{{1,3}})号"
        rf"{_NO_DATE_AFTER}",
        resolvers.day_of_month,
    ),
    _form(
        rf"(?<![\d.年月零一二三四五六七八九十百第几个])(?P<day>\d{{1,2}})日(?![常前后]|[\d]){_NO_DATE_AFTER}",
        resolvers.day_of_month,
    ),
    # talks
    _form(rf"{_US}[^,.?!。]{{0,3}}?{_NTH}(?:开始)?{_WITH_YOU}{_TALK}", resolvers.talk),
    _form(rf"{_US}[^,.?!。]{{0,3}}?(?:初次|首次|最初|最开始|刚开始|刚刚?|最早){_WITH_YOU}{_TALK}", resolvers.talk),
    _form(
        rf"(?<![和跟与])(?<![和跟与].)(?<![和跟与]..)(?<![和跟与]...){_NTH}"
        r"(?:[和跟与]你(?:聊天|对话|聊|说话|见面)|聊天|对话|交谈|谈话)",
        resolvers.talk,
    ),
    _form(r"(?:第一天|刚|刚刚|最初|初次|最开始)(?:[和跟与]你)?(?:认识|相识)(?=你|的时候|那天|时|$|[,.?!。])", resolvers.talk),
    _form(r"(?:我们|咱们|咱俩)?(?:上一?[次回])(?:我们|咱们|咱俩|[和跟与]你|你我)?(?:聊天|对话|聊|交谈|谈话)", resolvers.talk, Slots(nth=-1)),
)  # fmt: skip

RELATIVE: tuple[Form, ...] = (
    # months and weeks from here
    _form(
        rf"{_RELATIVE_MONTH}(?:{_THIRD}(?![国学文])|的?{_DAY}[日号])?",
        resolvers.offset_unit,
        Slots(unit="month"),
    ),
    _form(r"(?<![早晚])(?P<unit>月)(?P<third>[初底末中])(?!旬)", resolvers.third_of_unit),
    _form(r"(?<![早晚以至])(?P<unit>年)(?P<third>[初底末])", resolvers.third_of_unit),
    _form(
        rf"(?P<which>上上|上|这|本|下下|下)(?:一?个)?{_WEEK}(?:的?{_WEEK}?{_WEEKDAY}{_TIMES})?",
        resolvers.offset_unit,
        Slots(unit="week"),
    ),
    _form(
        rf"(?<![每各逢隔\d一二三四五六七八九十两几半个上这本下双单])(?:周|星期|礼拜){_WEEKDAY}"
        rf"{_TIMES}(?![到至和、]?(?:周|星期|礼拜))(?![杰鸣围福])",
        resolvers.weekday,
    ),
    # days from here
    _form(r"(?P<days_back>大前)[天日]", resolvers.days_back),
    _form(r"(?<![大以之从目提生])(?P<days_back>前)(?:天(?![气才空天])|(?P<part>晚|夜)(?![饭会期]))", resolvers.days_back),
    _form(r"(?P<days_back>昨)(?:[天日儿]|(?P<part>早|晨|晚|夜))", resolvers.days_back),
    _form(r"(?<!当)(?P<days_back>今)(?:[天日儿](?!下)|(?P<part>早|晨|晚|夜))", resolvers.days_back),
    _form(r"(?<![发说声证照表聪光])(?P<days_back>明)(?:[天日儿](?![才气])|(?P<part>早|晨|晚)(?!期))", resolvers.days_back),
    _form(r"(?P<days_back>大后)[天日]", resolvers.days_back),
    _form(r"(?<![大以之今然最背落先前])(?P<days_back>后)天(?![性形努培养气才天])", resolvers.days_back),
    _form(
        rf"(?<![\d.第])(?P<number>{_NUM})(?<!百){_UNIT}(?:以前|之前|前)(?![台面])",
        resolvers.ago,
    ),
    _form(rf"(?:再过|过)(?P<number>{_NUM}){_UNIT}(?!的)", resolvers.ahead),
    _form(rf"(?:好)?(?:几|数|若干){_UNIT}(?:以前|之前|前)", resolvers.few_ago),
    _form(r"半年(?:以前|之前|前)", resolvers.ago, Slots(number=6, unit="month")),
    _form(r"半个月(?:以前|之前|前)", resolvers.ago, Slots(number=2, unit="week")),
    _form(rf"(?:过去|最近|近)的?这?(?:(?P<number>{_NUM})|几){_UNIT}(?!前)", resolvers.past),
    _form(r"前几[天日]|前些(?:天|日子)", resolvers.stretch, Slots(stretch=(10, 2))),
    _form(r"前两天", resolvers.stretch, Slots(stretch=(4, 1))),
    _form(r"这(?:几|两|些)天|这些日子", resolvers.stretch, Slots(stretch=(7, 0))),
    _form(r"前一?阵子?|前(?:一)?段时间|前段日子", resolvers.stretch, Slots(stretch=(60, 7))),
    _form(r"最近|近来|近期|近日", resolvers.stretch, Slots(stretch=(14, 0))),
    _form(r"不久(?:以前|之前|前)", resolvers.stretch, Slots(stretch=(14, 1))),
    _form(r"刚才|刚刚(?=说|讲|聊|提|问)", resolvers.days_back),
)  # fmt: skip

_PART_WORDS = "|".join(sorted(PARTS, key=len, reverse=True))

GRAMMAR = Grammar(
    alphabet=re.compile(rf"[{HAN}]"),
    readers=READERS,
    forms=(*ABSOLUTE, *(replace(form, relative=True) for form in RELATIVE)),
    part_after=re.compile(
        rf"(?:这天|那天|当天)?的?(?P<part>{_PART_WORDS})(?!饭|餐|会|安|霞|点|期|年)"
    ),
    part_before=re.compile(r"(?P<part>(?!))"),
)

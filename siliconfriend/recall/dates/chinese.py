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
from siliconfriend.recall.dates.calendar import Half, PartOfDay, Third, Unit
from siliconfriend.recall.dates.feast_words import CHINESE, feast_in_chinese
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
YEARS |= {"后年": 2, "去": -1, "今": 0, "明": 1}
HALVES: dict[str, Half] = {"上": 0, "前": 0, "下": 1, "后": 1}
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
    "晚": "day",
    "夜": "day",
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
LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12}


def _years_from_now(words: str) -> int:
    """How many years from this one: 去年 is -1, 两年前 -2."""
    if words in YEARS:
        return YEARS[words]
    return -parse_number(words[: words.index("年")])


def _lunar_month(words: str) -> int:
    """正 is 1, 腊 12, 八 8."""
    return LUNAR_MONTHS[words] if words in LUNAR_MONTHS else parse_number(words)


READERS: dict[str, Reader] = {
    "year": parse_number,
    "year_offset": _years_from_now,
    "month": parse_number,
    "last_month": parse_number,
    "lunar_month": _lunar_month,
    "day": lambda words: parse_number(words.removeprefix("初")),
    "last_day": parse_number,
    "weekday": WEEKDAYS.__getitem__,
    "weekend": bool,
    "season": SEASONS.__getitem__,
    "feast": feast_in_chinese,
    "last_feast": feast_in_chinese,
    "holiday": bool,
    "part": (PARTS | SHORT_PARTS).__getitem__,
    "third": THIRDS.__getitem__,
    "half": HALVES.__getitem__,
    "unit": lambda words: UNITS[words.removeprefix("个")],
    "number": lambda words: 1 if words == "头" else parse_number(words.removeprefix("第")),
    "decade": lambda words: 1900 + parse_number(words),
    "side": lambda words: (
        "of" if words.startswith("那") else "before" if "前" in words else "after"
    ),
    "which": WHICH.__getitem__,
    "days_back": DAYS_BACK.__getitem__,
    "nth": lambda words: -1 if words.startswith("最") else parse_number(words.removeprefix("第")),
}
"""What the named groups of the patterns hold, as the values of slots."""

_NUM = (
    r"(?:\d{1,4}|(?![一二两三四五六七八九]{2}(?![零〇一二三四五六七八九十两百]))"
    r"[零〇一二三四五六七八九十两百]{1,5})"
)
"""A number; 七八天 is no 78 days."""
_ABOUT = r"(?P<number>[一二两三四五六七八])[两三四五六七八九]"
_SHORT_YEAR = (
    r"(?<![零〇一二三四五六七八九十百千万第\d])"
    r"(?!五六|六七|七八|八九|一二|二三)[零〇一二五六七八九][零〇一二三四五六七八九](?=年(?![前后内间级代以之里来多半了]))"
)
"""零八年 is 2008, 九八年 1998; 七八年 may be seven or eight years, 三五年 some few."""
_YEAR = rf"(?P<year>(?<!\d)(?:19|20)?\d\d|[零〇一二三四五六七八九]{{4}}|{_SHORT_YEAR})\s?年"
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
_PASSES = r"(?<![不没难经超好])过"
"""Of time to come, and not as in 难过三天, 没过三天, 超过两周."""
_RELATIVE_YEAR = r"(?P<year_offset>大前年|(?<!大)前年|去年|上一年|今年|本年|明年|后年)"
_YEARS_AGO = (
    r"(?P<year_offset>大前年|(?<!大)前年|去年|上一年|今年|本年|明年|后年|"
    r"(?<![\d第零一二三四五六七八九十百])(?:\d{1,2}|[一二两三四五六七八九十]{1,3})年(?:以前|之前|前))"
)
_WHEN = rf"(?:(?:{_YEAR}\s?|{_YEARS_AGO})的?)"
_RELATIVE_MONTH = r"(?:(?P<which>上上|上|这|本|当|下下|下)(?:一?个)?月份?)"
_THIRD = r"(?P<third>初(?![一二三四五六七八九十中高级恋])|上旬|中旬|下旬|中(?![考奖午东西药医秋元])|底(?!下)|末)"
_LAST_MONTH = r"(?P<last_month>\d{1,2}|[一二三四五六七八九十]{1,2})\s?月份?(?!\s?[\d一二三四五六七八九十]+\s?[日号])"
_NTH_OR_COUNT = rf"第?{_NUM}|头"
_COUNTED_UNITS = "天|日|晚|夜|个?周(?!末)|个?星期|个?礼拜|个月"
_COUNTED = rf"(?:{_NTH_OR_COUNT})(?:{_COUNTED_UNITS}|个?周末)"
_TALK = r"(?:聊天|对话|聊|交谈|谈话|交流|说话|见面|认识|相识|相遇)"
_US = r"(?:我们俩?|咱们俩?|咱俩|我俩|我[和跟与]你|你[和跟与]我|[和跟与]你)"
_WITH_YOU = r"(?:[和跟与]你)?"
_NTH = r"第(?P<nth>[一二三四五六七八九十]{1,2}|\d{1,2})[次回]"


def _form(pattern: str, resolve: Resolver, given: Slots = UNSAID) -> Form:
    return Form(pattern, resolve, given=given)


_FEAST_WORDS = "|".join(CHINESE)
_THINGS_OF_FEASTS = (
    r"(?![个些条种]|月饼|上河图|树|蒜|粥|豆腐|老人|礼物|歌|帽|贺?卡|岛|彩蛋|蛋|火鸡|南瓜|服|糕|粽|晚会|联欢|联播|"
    r"快乐|好[!!。~]|红包|花灯|馅|汤圆|糖|衣|装|电影|档|三友|文学|作业|工[^作]|大街|"
    r"路|村|镇|桥|广场|公园|小区|门|奖|班)"
)
_FEAST_BEFORE = r"(?<![吃煮包碗颗粒甜])(?<!芝麻)(?<!一个)"
_FEAST = rf"{_FEAST_BEFORE}(?P<feast>{_FEAST_WORDS})节?{_THINGS_OF_FEASTS}"
_LAST_FEAST = rf"(?P<last_feast>{_FEAST_WORDS})节?{_THINGS_OF_FEASTS}"
_HOLIDAY = r"(?P<holiday>放?假期?间?|小?长假|黄金周|期间|前后|那几天|那阵子|那段时间)"
_LUNAR_DAY = r"(?P<day>初[一二三四五六七八九十]|[一二三廿卅]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?)"
_LUNAR_MONTH_NAME = r"(?P<lunar_month>正|腊|冬)月"
_LUNAR_MONTH = r"(?P<lunar_month>[正一二三四五六七八九十冬腊]|十[一二])月"

ABSOLUTE: tuple[Form, ...] = (
    _form(rf"{_WHEN}?{_MONTH}\s?{_DAY}\s?{_SUFFIX}", resolvers.month_and_day),
    _form(
        rf"{_WHEN}?{_MONTH}\s?{_DAY}[日号]?(?:到|至|-|~|—)"
        r"(?P<last_day>\d{1,2}|[一二三四五六七八九十]{1,3})[日号]",
        resolvers.month_and_day,
    ),
    _form(
        rf"{_WHEN}?{_MONTH}(?:份)?{_MONTHLESS_AFTER}(?:的?{_THIRD}(?![国学文年]))?",
        resolvers.month,
    ),
    _form(rf"(?:从|自)?{_WHEN}?{_MONTH}份?(?:到|至|-|~|—){_LAST_MONTH}", resolvers.months),
    _form(rf"{_YEAR}(?:{_THIRD}(?![国学文]))?(?![前后内间级代月])", resolvers.year),
    _form(rf"{_RELATIVE_YEAR}(?:的?年?{_THIRD}(?![国学文]))?(?!度)", resolvers.year),
    _form(r"(?<=我的)(?P<year>20\d\d)(?=\s*(?:$|[,。.?!;吧呗呀啊]|过得|怎么样|都|是怎么))", resolvers.year),
    _form(rf"(?:{_YEAR}|{_RELATIVE_YEAR})的?(?P<half>[上下前后])半年", resolvers.year),
    _form(
        rf"{_WHEN}(?P<season>[春夏秋冬])(?:[天季]|(?![晚联令装衣]))(?:的?{_THIRD})?", resolvers.season
    ),
    _form(r"(?P<year_offset>[去今明])(?P<season>[春夏秋冬])(?![天季游令威装衣瓜雨运节])", resolvers.season),
    _form(r"(?P<which>上上|上|这|下)(?:一?个)?(?P<season>[春夏秋冬])[天季]", resolvers.season),
    _form(
        r"(?<![去今明前后年个])(?P<season>[春夏秋冬])天(?=我?们?都?(?:是?怎么过|过得|在?忙|在?干[了什嘛吗些]|在?做[了什些]|(?:什么时候|哪天|哪件事)?(?:让我)?最)|以来|开始)",
        resolvers.season,
    ),
    _form(
        rf"{_WHEN}?{_MONTH}份?的?(?P<nth>第[一二三四五]|最后一)个?"
        rf"(?:(?P<unit>周(?![一二三四五六日天末])|(?:星期|礼拜)(?![一二三四五六日天]))|{_WEEK}{_WEEKDAY})",
        resolvers.nth_of_month,
    ),
    _form(rf"{_WHEN}?第?(?P<nth>[一二三四1-4])季度", resolvers.quarter),
    _form(
        r"(?:上个?世纪|(?:二十|20)世纪)?(?P<decade>[三四五六七八九][十零]|[3-9]0)年代(?:(?P<third>初|中|末)期?)?",
        resolvers.decade,
    ),
    # feasts
    _form(rf"{_WHEN}?{_FEAST}", resolvers.feast),
    _form(rf"{_WHEN}?{_FEAST}的?{_HOLIDAY}", resolvers.feast),
    _form(rf"(?P<which>上上|上|这|下)(?:一?个)?{_FEAST}(?:{_HOLIDAY})?", resolvers.feast),
    _form(rf"(?:从|自)?{_WHEN}?{_FEAST}(?:到|至|和|与|跟){_LAST_FEAST}(?:之?间|期间)?", resolvers.feasts),
    _form(
        rf"{_WHEN}?(?:农历|阴历|旧历){_LUNAR_MONTH}(?:份|里)?(?:{_LUNAR_DAY})?", resolvers.lunar
    ),
    _form(rf"{_WHEN}?{_LUNAR_MONTH_NAME}(?:里|份)?(?:{_LUNAR_DAY})?", resolvers.lunar),
    _form(rf"{_WHEN}?(?:大|新|过)年(?P<day>初[一二三四五六七八九十])", resolvers.lunar, Slots(lunar_month=1)),
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
    _form(r"(?:我|我们|咱们|咱俩)?(?:最早|最开始|一开始|最初)(?:[和跟与给对向]你)?(?:说|聊|讲|谈)(?:过|了)?的?(?=(?:是|都是)?(?:些)?(?:什么|啥|哪些)\W*$)", resolvers.talk, Slots(nth=1)),
    _form(r"(?:我们|咱们|咱俩)?(?:上一?[次回])(?:我们|咱们|咱俩|[和跟与]你|你我)?(?:聊天|对话|聊|交谈|谈话)", resolvers.talk, Slots(nth=-1)),
)  # fmt: skip

RELATIVE: tuple[Form, ...] = (
    _form(
        rf"(?:前|过去|最近|近|这|上)的?(?P<number>{_NUM})(?:个|年的?){_FEAST}", resolvers.last_feasts
    ),
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
        rf"(?<![\d.第])(?!(?:19|20)\d\d年)(?P<number>{_NUM})(?<!百){_UNIT}(?:以前|之前|前)(?![台面])",
        resolvers.ago,
    ),
    _form(rf"(?<![\d.第])(?P<number>{_NUM})个?{_WEEK}(?:以前|之前|前)的?那?个?{_WEEK}{_WEEKDAY}", resolvers.weekday_weeks_ago),
    _form(r"(?P<year_offset>去年|(?<!大)前年|大前年)的?(?:今[天日]|这一?天)", resolvers.years_ago_today),
    _form(r"(?P<year_offset>去年|(?<!大)前年|大前年)的?昨[天日]", resolvers.years_ago_today, Slots(days_back=1)),
    _form(rf"(?:再过|{_PASSES})(?P<number>{_NUM}){_UNIT}(?!的)", resolvers.ahead),
    _form(r"再过半个月", resolvers.ahead, Slots(number=15, unit="day")),
    _form(r"再过半年", resolvers.ahead, Slots(number=6, unit="month")),
    _form(rf"(?<![\d.第一二三四五六七八九十])(?P<number>{_NUM})(?<!百){_UNIT}(?:以后|之后|后)(?![台面])", resolvers.ahead_if_to_come),
    _form(rf"(?<![零〇一二三四五六七八九十百第]){_ABOUT}{_UNIT}(?:以前|之前|前)", resolvers.couple_ago),
    _form(rf"(?:好)?(?:几|数|若干){_UNIT}(?:以前|之前|前)", resolvers.few_ago),
    _form(
        rf"(?<![\d.第])(?P<number>{_NUM})年半(?:以前|之前|前)", resolvers.ago_and_half
    ),
    _form(r"大?半年(?:多)?(?:以前|之前|前)", resolvers.ago, Slots(number=6, unit="month")),
    _form(r"半个月(?:以前|之前|前)", resolvers.ago, Slots(number=2, unit="week")),
    _form(rf"(?:过去|最近|近)的?这?(?:(?P<number>{_NUM})|几){_UNIT}(?!前)", resolvers.past),
    _form(
        r"(?<![年\d])(?:我们?|咱们?)?的?这(?:一整?|整整?一?)年(?![级度龄代多半份轮头年])"
        r"(?:以?来|下来|里|当中|间)?(?!\d|的?(?:第|最后))",
        resolvers.own_year,
        Slots(number=1, unit="year"),
    ),
    _form(r"年度(?=总结|回顾|盘点)", resolvers.own_year, Slots(number=1, unit="year")),
    _form(r"(?<![\d一二三四五六七八九十第这整近])一年以?来", resolvers.past, Slots(number=1, unit="year")),
    _form(r"(?:过去|最近|近|这)的?这?半年", resolvers.past, Slots(number=6, unit="month")),
    _form(r"这(?:几|(?P<number>[两二三四五六]))(?P<unit>个?周|个?星期|个?礼拜|个月|年)", resolvers.past),
    _form(
        rf"(?:接下来|未来|今后|往后|之后)的?这?(?:(?P<number>{_NUM})|几){_UNIT}",
        resolvers.coming,
    ),
    _form(r"(?:接下来|未来|今后|往后|之后)的?这?一个半月", resolvers.coming, Slots(number=45, unit="day")),
    _form(r"(?:接下来|未来|今后|往后|之后)的?这?半年", resolvers.coming, Slots(number=6, unit="month")),
    _form(r"(?:接下来|未来|今后|往后|之后)的?这?一年半", resolvers.coming, Slots(number=18, unit="month")),
    _form(r"(?:接下来|未来|今后|往后|之后)的?这?半个月", resolvers.coming, Slots(number=15, unit="day")),
    _form(r"去年的?[这此]个?(?:时候|时节|会儿)", resolvers.ago, Slots(number=12, unit="month")),
    _form(rf"(?:下|{_PASSES})几{_UNIT}(?!的)", resolvers.coming),
    _form(
        r"(?:今|这个?|本)(?P<unit>年|月|周|星期|礼拜)(?:接下来|往后|余下|剩下)的?(?:日子|时间)?",
        resolvers.rest,
    ),
    _form(r"从?现在(?=起|到|至|开始)起?", resolvers.days_back),
    _form(r"(?<![每十大])(?P<half>[上下])半年", resolvers.half_year),
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
    weekday_before=re.compile(
        r"(?:上上|上|这|本|下下|下)?个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])[(,]?\s?(?=$)"
    ),
    weekday_after=re.compile(r"\s?[是(]?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])\)?"),
    beside=re.compile(
        rf"的?(?P<side>第二天|次日|隔天|前[夕夜]|那一?个?{_WEEK}|(?:[之以]?前|[之以过]?后)(?={_COUNTED}))"
        rf"(?:(?P<number>{_NTH_OR_COUNT})(?P<unit>{_COUNTED_UNITS})?)?(?P<weekend>个?周末|末)?"
    ),
    since_before=re.compile(r"过了|(?:自|自从|打)(?!从?己)"),
    since_after=re.compile(
        r"(?:开始)?以来|(?:过完|过了)?(?:以后|之后)(?!再)|开始(?=[,,我你他她,]|$)|起(?=[,,。我你他她就都便]|$)|过后|至今|到现在"
    ),
    future=re.compile(
        r"^(?!.*(?:了|过|去年|前年|上个|昨|记得)).*(?:打算|计划|准备|将要|将会|即将|安排)",
        re.DOTALL,
    ),
)

"""What feasts are called in each language: patterns, with the names of ``feasts.py`` they stand for.

Of two that begin alike the longer comes first: "Easter Monday" before "Easter".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

ENGLISH: Mapping[str, str] = {
    r"new year['’]?s eve|nye|hogmanay": "new_years_eve",
    r"new year['’]?s(?: day)?|new year": "new_year",
    r"turn of the year": "turn_of_year",
    r"epiphany|twelfth night": "epiphany",
    r"burns night": "burns_night",
    r"groundhog day": "groundhog_day",
    r"(?:st\.?|saint) valentine['’]?s(?: day)?|valentine['’]?s day|valentine['’]?s": "valentines_day",
    r"(?:international )?women['’]?s day": "womens_day",
    r"(?:st\.?|saint) (?:patrick|paddy)['’]?s day": "st_patricks_day",
    r"april fool(?:s|['’]s|s['’])?(?: day)?": "april_fools_day",
    r"earth day": "earth_day",
    r"may day|(?:international )?(?:workers['’]?|labour) day": "labour_day",
    r"(?:international )?children['’]?s day": "childrens_day",
    r"midsummer(?:['’]?s)?(?: eve| day)?|st\.? john['’]?s (?:eve|day)": "midsummer",
    r"canada day": "canada_day",
    r"(?:the )?(?:fourth|4th) of july|independence day": "independence_day",
    r"bastille day": "bastille_day",
    r"teachers?['’]?s? day": "teachers_day",
    r"(?:china['’]s |chinese )?national day": "national_day",
    r"golden week": "golden_week",
    r"hallowe['’]?en|all hallows['’]? eve": "halloween",
    r"all saints['’]?(?: day)?": "all_saints",
    r"bonfire night|guy fawkes(?: (?:night|day))?|fireworks night": "bonfire_night",
    r"armistice day|veterans['’]? day|remembrance day": "armistice_day",
    r"singles['’]? day|double eleven": "singles_day",
    r"christmas eve|xmas eve": "christmas_eve",
    r"christmas day|christmas|xmas": "christmas",
    r"boxing day|(?:st\.?|saint) stephen['’]?s day": "boxing_day",
    r"festive season|holiday season|winter holidays": "festive_season",
    r"(?:mlk|martin luther king(?:,? jr\.?)?) day": "mlk_day",
    r"president['’]?s['’]? day": "presidents_day",
    r"mother['’]?s['’]? day": "mothers_day",
    r"mothering sunday": "mothering_sunday",
    r"memorial day": "memorial_day",
    r"father['’]?s['’]? day": "fathers_day",
    r"labor day": "labor_day",
    r"columbus day|indigenous peoples['’]? day": "columbus_day",
    r"thanksgiving(?: day)?": "thanksgiving",
    r"black friday": "black_friday",
    r"shrove tuesday|pancake day|mardi gras": "shrove_tuesday",
    r"ash wednesday": "ash_wednesday",
    r"palm sunday": "palm_sunday",
    r"maundy thursday|holy thursday": "maundy_thursday",
    r"good friday": "good_friday",
    r"holy saturday|easter saturday|easter eve": "holy_saturday",
    r"easter monday": "easter_monday",
    r"easter(?: sunday| day)?": "easter",
    r"ascension day": "ascension_day",
    r"whit monday": "whit_monday",
    r"whitsun(?:day)?|whit sunday|pentecost": "whitsun",
    r"laba(?: festival)?": "laba",
    r"(?:chinese|lunar) new year['’]?s eve": "lunar_new_years_eve",
    r"(?:chinese|lunar) new year['’]?s day": "lunar_new_year",
    r"(?:chinese|lunar) new year|spring festival": "spring_festival",
    r"lantern festival": "lantern_festival",
    r"qing\s?ming(?: festival)?|tomb[- ]sweeping (?:day|festival)": "qingming",
    r"dragon boat festival|duan\s?wu(?: festival)?": "dragon_boat",
    r"qi\s?xi(?: festival)?|double seventh(?: festival)?": "qixi",
    r"(?:hungry )?ghost festival": "ghost_festival",
    r"mid[- ]autumn(?: festival| day)?|moon festival": "mid_autumn",
    r"double ninth(?: festival)?|chong\s?yang(?: festival)?": "double_ninth",
    r"winter solstice|dong\s?zhi(?: festival)?": "winter_solstice",
    r"summer solstice": "summer_solstice",
    r"spring equinox|vernal equinox": "spring_equinox",
    r"autumn(?:al)? equinox": "autumn_equinox",
}

CHINESE: Mapping[str, str] = {
    "元旦": "new_year",
    "新年": "new_year",
    "情人节": "valentines_day",
    "妇女节|三八节": "womens_day",
    "植树节": "arbor_day",
    "愚人节": "april_fools_day",
    "劳动节|五一": "labour_day",
    "五四|青年节": "youth_day",
    "儿童节|六一": "childrens_day",
    "建党节": "party_day",
    "建军节|八一": "army_day",
    "教师节": "teachers_day",
    "国庆|十一(?=假期|长假|小长假|黄金周)": "national_day",
    "黄金周": "golden_week",
    "万圣|万圣节前夜": "halloween",
    "双十一|双11|双１１|光棍节": "singles_day",
    "双十二|双12": "double_twelve",
    "平安夜|圣诞前夜|圣诞夜": "christmas_eve",
    "圣诞": "christmas",
    "跨年夜|跨年": "new_years_eve",
    "寒假": "winter_break",
    "暑假": "summer_break",
    "母亲节": "mothers_day",
    "父亲节": "fathers_day",
    "感恩节": "thanksgiving",
    "黑色星期五": "black_friday",
    "复活节": "easter",
    "耶稣受难日": "good_friday",
    "腊八": "laba",
    "小年": "little_new_year",
    "除夕夜?|大年三十|年三十|大年夜|年三十晚上": "lunar_new_years_eve",
    "农历新年|春节|过大年|过年|大过年|新春": "spring_festival",
    "元宵|上元节": "lantern_festival",
    "龙抬头": "dragon_head",
    "清明": "qingming",
    "端午|端阳节": "dragon_boat",
    "七夕|乞巧节": "qixi",
    "中元节|鬼节": "ghost_festival",
    "中秋|八月节": "mid_autumn",
    "重阳|重九": "double_ninth",
    "立春": "start_of_spring",
    "春分": "spring_equinox",
    "立夏": "start_of_summer",
    "夏至": "summer_solstice",
    "立秋": "start_of_autumn",
    "秋分": "autumn_equinox",
    "立冬": "start_of_winter",
    "冬至": "winter_solstice",
}


@lru_cache(maxsize=1024)
def feast_in_english(words: str) -> str:
    """The feast that English words for it name, in any letter case and with any spaces."""
    return _feast_of(" ".join(words.lower().split()), ENGLISH)


@lru_cache(maxsize=1024)
def feast_in_chinese(words: str) -> str:
    """The feast that Chinese words for it name."""
    return _feast_of(words, CHINESE)


def _feast_of(words: str, table: Mapping[str, str]) -> str:
    """The feast of the pattern that fits; a condition on what follows is met already."""
    return next(
        name for form, name in table.items() if re.fullmatch(form.replace("(?=", "(?:$|"), words)
    )

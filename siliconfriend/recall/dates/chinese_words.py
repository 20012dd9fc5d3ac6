"""The words Chinese dates are made of."""

from __future__ import annotations

from siliconfriend.recall.dates.almanac import PartOfDay, Third, Unit

DIGITS = {character: number for number, character in enumerate("零一二三四五六七八九")}
DIGITS |= {"〇": 0, "两": 2}
WEEKDAYS = {character: number for number, character in enumerate("一二三四五六日")} | {"天": 6}
DAYS = {
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
OFFSETS = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1, "下下": 2}
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

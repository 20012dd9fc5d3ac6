"""Settings: read once, frozen, the same for the page, the terminal and the night.

A scheduled night has no shell environment, so a value may also stand in ``config.toml`` of
the data directory. All bad values are collected and reported at once.
"""

from siliconfriend.config.kinds import BUNDLED
from siliconfriend.config.loading import (
    PROJECT,
    find_checkout,
    find_home,
    language_of,
    load_settings,
    prepare_home,
)
from siliconfriend.config.settings import (
    COMPANION_NAMES,
    CONFIG_FILE,
    HOME,
    OPTIONS,
    WITHOUT_BUNDLED,
    BadSettings,
    Option,
    Problem,
    Settings,
    Source,
    find_option,
    nearest_variable,
)

__all__ = [
    "BUNDLED",
    "COMPANION_NAMES",
    "CONFIG_FILE",
    "HOME",
    "OPTIONS",
    "PROJECT",
    "WITHOUT_BUNDLED",
    "BadSettings",
    "Option",
    "Problem",
    "Settings",
    "Source",
    "find_checkout",
    "find_home",
    "find_option",
    "language_of",
    "load_settings",
    "nearest_variable",
    "prepare_home",
]

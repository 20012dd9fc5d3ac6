"""Settings: read once, frozen, the same for the web, the terminal and the night.

A scheduled night has no shell environment and another working directory, so a value
may also stand in ``config.toml`` of the data directory: flags win over the environment,
that over the file, that over the defaults. Reading a variable anywhere else would let
the night and the chat disagree about where a person's memory lies. All bad values are
collected and reported at once, each with the variable's name and what it may be.
"""

from siliconfriend.config.home import PROJECT, find_checkout, prepare_home
from siliconfriend.config.loading import language_of, load_settings
from siliconfriend.config.options import (
    CONFIG_FILE,
    HOME,
    OPTIONS,
    BadSettings,
    Option,
    Problem,
    find_option,
    nearest_variable,
)
from siliconfriend.config.settings import (
    BUNDLED,
    COMPANION_NAMES,
    WITHOUT_BUNDLED,
    Settings,
    Source,
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
    "find_option",
    "language_of",
    "load_settings",
    "nearest_variable",
    "prepare_home",
]

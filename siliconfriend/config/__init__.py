"""Read the settings, once and frozen, for all doors and the night.

A scheduled night has no shell environment, so values may also be set in ``config.toml`` of the
data directory. All bad values are reported at once.
"""

from siliconfriend.config.loading import find_home as find_home
from siliconfriend.config.loading import language_of as language_of
from siliconfriend.config.loading import load_settings as load_settings
from siliconfriend.config.loading import prepare_home as prepare_home
from siliconfriend.config.loading import require_home as require_home
from siliconfriend.config.settings import CONFIG_FILE as CONFIG_FILE
from siliconfriend.config.settings import HOME as HOME
from siliconfriend.config.settings import OPTIONS as OPTIONS
from siliconfriend.config.settings import Option as Option
from siliconfriend.config.settings import Settings as Settings
from siliconfriend.config.settings import find_option as find_option
from siliconfriend.config.settings import nearest_option as nearest_option

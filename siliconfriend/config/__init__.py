"""Load the settings into one frozen object for all entrances and the night.

A scheduled night has no shell environment, so values can also be set in ``config.toml`` of the data
directory. All invalid values are reported at once.
"""

from siliconfriend.config.loading import load_settings as load_settings
from siliconfriend.config.loading import prepare_home as prepare_home
from siliconfriend.config.settings import Settings as Settings

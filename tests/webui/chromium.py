"""The Chromium that tests, pictures and benchmarks of the page drive, so that one that serves for one serves for all."""

import shutil

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first of them that is installed: without windows it takes half the processor time."""
HOW_TO_GET_IT = "Chromium is missing: apt-get install chromium-headless-shell fonts-noto-cjk"


def find_chromium() -> str:
    """Return its path.

    Raises:
        FileNotFoundError: none is installed.
    """
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise FileNotFoundError(HOW_TO_GET_IT)
    return path

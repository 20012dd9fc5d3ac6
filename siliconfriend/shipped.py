"""Find the page, the prompts and the samples: beside the package in a checkout, inside a wheel.

A wheel packs them as ``[tool.hatch.build.targets.wheel.force-include]`` says.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).parent
IS_WHEEL = (PACKAGE / "prompt_files").is_dir()
PROMPTS = PACKAGE / "prompt_files" if IS_WHEEL else PACKAGE.parent / "prompts"
SAMPLES = PACKAGE / "samples" if IS_WHEEL else PACKAGE.parent / "memories" / "samples"


def import_page() -> ModuleType:
    """Import the module of the web page."""
    return import_module("siliconfriend.webui.app" if IS_WHEEL else "webui.app")

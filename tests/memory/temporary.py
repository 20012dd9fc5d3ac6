"""A store whose data directory is deleted with it."""

import shutil
import tempfile
import weakref
from pathlib import Path

from siliconfriend.memory.file_store import FileStore

RAM = Path("/dev/shm")


class TemporaryStore(FileStore):
    """Files in memory, if the machine has such a folder."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(dir=RAM if RAM.is_dir() else None)
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        super().__init__(Path(folder) / "home")

"""Operate an installation: back up, restore, move, encrypt; imported on demand."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from siliconfriend.clock import Clock
from siliconfriend.config import Settings
from siliconfriend.config.loading import require_home
from siliconfriend.errors import ConfigurationError, SiliconFriendError, StoreError
from siliconfriend.installation.accounts import Passwords
from siliconfriend.installation.installation import installation_in, open_installation
from siliconfriend.installation.tables import COUNTS, INSTALLATION
from siliconfriend.memory import backup as backups
from siliconfriend.memory import encryption
from siliconfriend.memory.backup_file import verify_backup as verify_backup
from siliconfriend.memory.copy_store import MovedMemory as MovedMemory
from siliconfriend.memory.copy_store import move_memory, parse_destination, store_name
from siliconfriend.memory.factory import open_store, upgrade_database_of
from siliconfriend.memory.scope import Scope
from siliconfriend.person.bank import MemoryBank


def back_up(settings: Settings, file: Path, clock: Clock) -> backups.Backup:
    """Back up all data without keys into one file, while other processes may write.

    ConfigurationError: there is no data directory, or the file cannot be written.
    """
    _check_files(settings)
    require_home(settings)
    return backups.back_up(settings.home, file, now=clock.now(settings.zone))


def restore(settings: Settings, file: Path, *, replace: bool = False) -> backups.Restored:
    """Replace the data with a backup; errors as :func:`backups.restore`."""
    _check_files(settings)
    return backups.restore(file, settings.home, replace=replace)


def _check_files(settings: Settings) -> None:
    if settings.store != "file":
        raise ConfigurationError("backup_in_database")


def upgrade_database(settings: Settings, role: str | None = None) -> Sequence[str]:
    """Migrate the tables of the database; return the applied steps."""
    return upgrade_database_of(settings, INSTALLATION, COUNTS, role=role)


class MoveResult(NamedTuple):
    """The result of moving memories to a place, of which ``there`` are the settings.

    ``unreadable`` lists folders whose owner is unknown, which were not moved.
    """

    there: Settings
    source: str
    target: str
    moved: Sequence[MovedMemory]
    failed: Mapping[Scope, SiliconFriendError]
    unreadable: Sequence[str]
    dry_run: bool

    def to_json(self) -> dict[str, Any]:
        """Return the document of ``migrate --json``."""
        moved = [
            one.scope.to_json()
            | {"records": one.records, "sha256": one.digest, "moved_before": one.was_moved}
            for one in self.moved
        ]
        failed = [scope.to_json() | {"error": str(error)} for scope, error in self.failed.items()]
        about = {"from": self.source, "to": self.target, "dry_run": self.dry_run}
        return about | {"moved": moved, "failed": failed, "unreadable": list(self.unreadable)}


def move(
    bank: MemoryBank,
    to: str,
    *,
    dry_run: bool = False,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> MoveResult:
    """Move memories to another store: copied, compared record by record, then handed over.

    ConfigurationError, StoreError: there is no data directory, or an erasing is unfinished.
    """
    settings, source = bank.settings, bank.store
    require_home(settings)
    there = parse_destination(to, settings)
    target = open_store(there)
    bank.resume_erasures()
    if bank.installation.jobs.unfinished():
        raise StoreError("move_erasing")
    scopes, name = source.scopes(), store_name(there)
    outcomes = []
    for number, scope in enumerate(scopes, 1):
        outcomes.append(move_memory(source, target, scope, target_name=name, dry_run=dry_run))
        progress(scope.person, number, len(scopes))
    moved = [outcome for outcome in outcomes if outcome.error is None]
    for person in set[str]() if dry_run else {outcome.scope.person for outcome in moved}:
        is_new = any(outcome.scope.person == person and not outcome.was_moved for outcome in moved)
        bank.installation.copy_access(person, open_installation(there), over=is_new)
    failed = {outcome.scope: outcome.error for outcome in outcomes if outcome.error is not None}
    here, unreadable = store_name(settings), source.unreadable()
    return MoveResult(there, here, name, moved, failed, unreadable, dry_run)


def passwords(settings: Settings, file: Path | None = None) -> Passwords:
    """Return the passwords for the page: those of the installation, or of a file."""
    if file is None:
        return open_installation(settings).passwords
    return installation_in(file.parent, file.name).passwords


def encrypt(bank: MemoryBank, name: str, passphrase: str | None) -> bool:
    """Encrypt a person's files with every companion, or with None write them as plain text.

    True if they were encrypted before; UsageError: no files, or the passphrase is too short.
    """
    store, scopes = bank.store, bank.scopes_of(name)
    cipher = next((known for known in map(store.cipher, scopes) if known is not None), None)
    key = None if passphrase is None else encryption.lock_key(passphrase, cipher)
    if passphrase is not None:
        encryption.KEYRING.offer(passphrase)
    for scope in scopes:
        store.encrypt(scope, key)
    return cipher is not None

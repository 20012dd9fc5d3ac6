"""``export --format markdown``: a memory as a folder of notes that a person can read."""

from __future__ import annotations

from pathlib import Path

from siliconfriend.errors import ConfigurationError, UsageError
from siliconfriend.memory.scope import folder_id

from .app import App, known_scope


def export_notes(app: App, user: str | None, companion: str | None, out: Path | None) -> None:
    """Write the notes of the user named, or of everyone into a folder each.

    Raises:
        UsageError: no folder was named, or it holds something else.
        ConfigurationError: it cannot be written.
    """
    from siliconfriend.control.notes.vault import write_notes
    from siliconfriend.lore.companions import companion_name

    if out is None:
        raise UsageError("notes_need_out")
    runtime = app.runtime(companion=companion)
    settings, store = runtime.settings, runtime.store
    if user is None and settings.user is None:
        scopes = [it for it in store.scopes() if it.companion == settings.companion]
        folders = {scope: out / folder_id(scope.person) for scope in scopes}
    else:
        scope = known_scope(runtime, user)
        folders = {scope: out}
    for scope, folder in folders.items():
        memory = store.load(scope)
        called = companion_name(settings, scope.companion, memory.profile.language)
        try:
            count = write_notes(folder, memory, scope, called)
        except OSError as error:
            raise ConfigurationError("file_unwritable", path=folder, cause=error) from error
        notes = app.count("note", count)
        app.say("export.notes", name=scope.person, notes=notes, path=folder)

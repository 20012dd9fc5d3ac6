"""Import and export of one's own memory on the page.

A download is made in the browser from the words themselves: no copy of them is left in a
folder that erasing would not reach. An upload is removed once it is read.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from siliconfriend.errors import SiliconFriendError, UnreadableFile
from siliconfriend.memory.import_export import export_memorybank, export_native, import_bank
from siliconfriend.memory.scope import clean_name
from siliconfriend.texts import Language

from ..backend import Backend
from ..privacy import PRIVATE, gr
from ..words.labels import Labels, say
from ..words.markup import quiet

SAVE = """
(words) => {
    if (!words) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([words], {type: 'application/json'}));
    link.download = 'siliconfriend.json';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
"""


class ImportExportPanel:
    """Import and export, put into the page that is being built."""

    def __init__(self, backend: Backend, labels: Labels, person: Any, language: Any) -> None:
        self._backend = backend
        make = labels.make
        make(gr.Markdown, {"value": "import_export"})
        make(gr.Markdown, {"value": "import_export_about"})
        with gr.Row():
            self.bank = make(gr.Button, {"value": "export_bank"}, elem_id="export-bank")
            self.native = make(gr.Button, {"value": "export_native"}, elem_id="export-native")
            self.file = make(
                gr.UploadButton, {"label": "import"}, file_types=[".json"], elem_id="import"
            )
        self.notice = labels.transient(gr.HTML(elem_id="import-export-notice"), value="")
        words = gr.Textbox(visible="hidden", show_label=False)
        for button, show in ((self.bank, self._bank), (self.native, self._native)):
            button.click(show, [person], [words], **PRIVATE).then(
                None, [words], None, js=SAVE, **PRIVATE
            ).then(lambda: "", None, [words], **PRIVATE)
        self.imported = self.file.upload(
            self._import, [self.file, person, language], [self.notice], **PRIVATE
        )

    def _bank(self, person: str, request: gr.Request) -> str:
        return self._export(person, request, native=False)

    def _native(self, person: str, request: gr.Request) -> str:
        return self._export(person, request, native=True)

    def _export(self, person: str, request: gr.Request, *, native: bool) -> str:
        known = self._backend.known(person, request)
        if known is None:
            return ""
        scope, memory = known
        form = export_native(memory, scope.companion) if native else export_memorybank(memory)
        return json.dumps(form, ensure_ascii=False, indent=2)

    def _import(self, path: str, person: str, language: Language, request: gr.Request) -> str:
        file = Path(path)
        data = file.read_bytes()
        file.unlink(missing_ok=True)
        try:
            scope = self._backend.scope(person, request)
            if scope is None:
                return quiet(say("not_started", language))
            settings = self._backend.settings
            report = import_bank(
                self._backend.store,
                own_part(scope.person, data),
                language=language,
                companion=scope.companion,
                zone=settings.zone,
                now=self._backend.clock.now(settings.zone),
            )
        except SiliconFriendError as error:
            return quiet(error.message(language))
        return quiet(say("imported", language, turns=report.turns))


def own_part(person: str, data: bytes) -> dict[str, Any]:
    """Return what a file holds of this person; nobody else's memory is written from their page.

    Raises:
        UnreadableFile: no JSON object, or nobody of that name in it.
    """
    try:
        bank = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableFile("import_no_json", cause=error) from error
    if not isinstance(bank, dict):
        raise UnreadableFile("import_no_people")
    own = {name: form for name, form in bank.items() if clean_name(name) == person}
    if not own:
        raise UnreadableFile("import_not_yours", name=person)
    return own

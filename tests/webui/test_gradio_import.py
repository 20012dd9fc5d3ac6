"""Gradio is imported without drawing stubs for editors, and without collecting garbage."""

from __future__ import annotations

import gc
import inspect
import json
from typing import Never

import pytest

from webui.gradio_import import no_collection, no_stubs
from webui.privacy import gr


def test_only_gradio_s_classes_have_no_source_and_only_meanwhile() -> None:
    with no_stubs():
        assert inspect.getfile(json.JSONDecoder).endswith("decoder.py")
        with pytest.raises(OSError, match="no stub"):
            inspect.getfile(gr.Button)
    assert inspect.getfile(gr.Button).endswith("button.py")


def test_of_a_component_no_stub_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gradio takes a class whose source is not found for one that has no stub."""

    class Drawn(Exception):
        pass

    def draw(*_: object) -> Never:
        raise Drawn  # before the file beside the component is written

    component_meta = inspect.getmodule(type(gr.Button))
    assert component_meta is not None
    monkeypatch.setattr(component_meta, "create_pyi", draw)
    with pytest.raises(Drawn):
        component_meta.create_or_modify_pyi(gr.Button, "Button", [])
    with no_stubs():
        component_meta.create_or_modify_pyi(gr.Button, "Button", [])


def test_the_garbage_collector_works_again_as_it_did() -> None:
    for works in (True, False):
        (gc.enable if works else gc.disable)()
        try:
            with no_collection():
                assert not gc.isenabled()
            assert gc.isenabled() is works
        finally:
            gc.enable()

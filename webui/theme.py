"""Gradio's parts in the page's own colours and letters, the same by day and by night."""

from __future__ import annotations

from typing import Any

from .components import gr

_STEPS = (50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950)
_INK = (2, 5, 12, 25, 70, 78, 84, 89, 94, 97, 100)
"""Percent of ink in each step of Gradio's neutral colours."""
_TOKENS = {
    "paper": "body_background_fill background_fill_secondary",
    "surface": "background_fill_primary input_background_fill input_background_fill_focus "
    "checkbox_background_color checkbox_label_background_fill button_secondary_background_fill",
    "raised": "checkbox_label_background_fill_hover button_secondary_background_fill_hover "
    "code_background_fill",
    "mine": "color_accent_soft checkbox_label_background_fill_selected",
    "ink": "body_text_color button_secondary_text_color error_text_color",
    "soft": "body_text_color_subdued block_label_text_color block_title_text_color "
    "block_info_text_color input_placeholder_color",
    "line": "border_color_primary table_border_color",
    "edge": "input_border_color input_border_color_hover checkbox_border_color "
    "checkbox_label_border_color button_secondary_border_color "
    "button_secondary_border_color_hover",
    "accent": "border_color_accent color_accent link_text_color link_text_color_active "
    "link_text_color_visited input_border_color_focus checkbox_background_color_selected "
    "checkbox_border_color_selected checkbox_border_color_hover button_primary_background_fill "
    "button_primary_border_color slider_color loader_color",
    "accent-strong": "link_text_color_hover button_primary_background_fill_hover",
    "on-accent": "button_primary_text_color",
    "danger": "error_border_color error_icon_color",
    "danger-paper": "error_background_fill",
    "radius-m": "block_radius input_radius button_large_radius button_medium_radius",
}
_PLAIN = {
    "none": "block_background_fill block_label_background_fill panel_background_fill shadow_drop",
    "0px": "block_border_width block_padding block_label_border_width panel_border_width "
    "form_gap_width",
    "1px": "input_border_width checkbox_border_width button_border_width",
}


def theme() -> Any:
    """Return Gradio's plainest theme with the tokens in every place."""
    neutral = {
        f"c{step}": f"color-mix(in srgb, var(--sf-ink) {share}%, var(--sf-surface))"
        for step, share in zip(_STEPS, _INK, strict=True)
    }
    accent = gr.themes.Color(**{f"c{step}": "var(--sf-accent)" for step in _STEPS})
    made: Any = gr.themes.Base(
        primary_hue=accent,
        secondary_hue=accent,
        neutral_hue=gr.themes.Color(**neutral),
        font=["var(--sf-font)"],
        font_mono=["var(--sf-font-mono)"],
    )
    values = {f"var(--sf-{token})": names for token, names in _TOKENS.items()} | _PLAIN
    made.set(**{name: value for value, names in values.items() for name in names.split()})
    for name, value in list(vars(made).items()):
        if not name.startswith("_") and hasattr(made, f"{name}_dark"):
            is_own = isinstance(value, str) and f"*{name}" in value
            setattr(made, f"{name}_dark", None if is_own else value)
    return made

"""Gradio's components in the page's own colours and letters.

Every property takes the same value by day and by night: the tokens change, not the theme. What
has no value here would keep Gradio's own colour, which no test has looked at.
"""

from __future__ import annotations

from typing import Any

from ..privacy import gr

_STEPS = (50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950)
_INK = (2, 5, 12, 25, 70, 78, 84, 89, 94, 97, 100)
"""How much ink there is in each step of Gradio's neutral colours, in percent."""

_PLAIN = {
    "body_background_fill": "var(--sf-paper)",
    "body_text_color": "var(--sf-ink)",
    "body_text_color_subdued": "var(--sf-soft)",
    "background_fill_primary": "var(--sf-surface)",
    "background_fill_secondary": "var(--sf-paper)",
    "border_color_primary": "var(--sf-line)",
    "border_color_accent": "var(--sf-accent)",
    "color_accent": "var(--sf-accent)",
    "color_accent_soft": "var(--sf-mine)",
    "link_text_color": "var(--sf-accent)",
    "link_text_color_hover": "var(--sf-accent-strong)",
    "link_text_color_active": "var(--sf-accent)",
    "link_text_color_visited": "var(--sf-accent)",
    "block_background_fill": "none",
    "block_border_width": "0px",
    "block_padding": "0px",
    "block_label_text_color": "var(--sf-soft)",
    "block_label_background_fill": "none",
    "block_label_border_width": "0px",
    "block_title_text_color": "var(--sf-soft)",
    "block_info_text_color": "var(--sf-soft)",
    "block_radius": "var(--sf-radius-m)",
    "panel_background_fill": "none",
    "panel_border_width": "0px",
    "form_gap_width": "0px",
    "shadow_drop": "none",
    "input_background_fill": "var(--sf-surface)",
    "input_background_fill_focus": "var(--sf-surface)",
    "input_border_width": "1px",
    "input_border_color": "var(--sf-edge)",
    "input_border_color_focus": "var(--sf-accent)",
    "input_border_color_hover": "var(--sf-edge)",
    "input_placeholder_color": "var(--sf-soft)",
    "input_radius": "var(--sf-radius-m)",
    "checkbox_background_color": "var(--sf-surface)",
    "checkbox_background_color_selected": "var(--sf-accent)",
    "checkbox_border_color": "var(--sf-edge)",
    "checkbox_border_color_hover": "var(--sf-accent)",
    "checkbox_border_color_selected": "var(--sf-accent)",
    "checkbox_border_width": "1px",
    "checkbox_label_background_fill": "var(--sf-surface)",
    "checkbox_label_background_fill_hover": "var(--sf-raised)",
    "checkbox_label_background_fill_selected": "var(--sf-mine)",
    "checkbox_label_border_color": "var(--sf-edge)",
    "checkbox_label_border_width": "1px",
    "checkbox_label_text_color": "var(--sf-ink)",
    "button_border_width": "1px",
    "button_large_radius": "var(--sf-radius-m)",
    "button_medium_radius": "var(--sf-radius-m)",
    "button_small_radius": "var(--sf-radius-m)",
    "button_transition": "background var(--sf-quick)",
    "button_primary_background_fill": "var(--sf-accent)",
    "button_primary_background_fill_hover": "var(--sf-accent-strong)",
    "button_primary_border_color": "var(--sf-accent)",
    "button_primary_text_color": "var(--sf-on-accent)",
    "button_secondary_background_fill": "var(--sf-surface)",
    "button_secondary_background_fill_hover": "var(--sf-raised)",
    "button_secondary_border_color": "var(--sf-edge)",
    "button_secondary_border_color_hover": "var(--sf-edge)",
    "button_secondary_text_color": "var(--sf-ink)",
    "button_cancel_background_fill": "var(--sf-surface)",
    "button_cancel_border_color": "var(--sf-danger)",
    "button_cancel_text_color": "var(--sf-danger)",
    "error_background_fill": "var(--sf-danger-paper)",
    "error_border_color": "var(--sf-danger)",
    "error_text_color": "var(--sf-ink)",
    "error_icon_color": "var(--sf-danger)",
    "table_border_color": "var(--sf-line)",
    "table_even_background_fill": "var(--sf-surface)",
    "table_odd_background_fill": "var(--sf-paper)",
    "table_row_focus": "var(--sf-mine)",
    "slider_color": "var(--sf-accent)",
    "loader_color": "var(--sf-accent)",
    "stat_background_fill": "var(--sf-accent)",
    "code_background_fill": "var(--sf-raised)",
}


def theme() -> Any:
    """Return Gradio's plainest theme with the tokens in every place."""
    neutral = gr.themes.Color(
        **{
            f"c{step}": f"color-mix(in srgb, var(--sf-ink) {share}%, var(--sf-surface))"
            for step, share in zip(_STEPS, _INK, strict=True)
        }
    )
    accent = gr.themes.Color(**{f"c{step}": "var(--sf-accent)" for step in _STEPS})
    made: Any = gr.themes.Base(
        primary_hue=accent,
        secondary_hue=accent,
        neutral_hue=neutral,
        font=["var(--sf-font)"],
        font_mono=["var(--sf-font-mono)"],
    )
    made.set(**_PLAIN)
    for name, value in list(vars(made).items()):
        if (
            not name.startswith("_")
            and not name.endswith("_dark")
            and hasattr(made, f"{name}_dark")
        ):
            is_own = isinstance(value, str) and f"*{name}" in value
            setattr(made, f"{name}_dark", None if is_own else value)
    return made

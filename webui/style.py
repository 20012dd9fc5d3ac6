"""How the page looks: with the theme's own colours, so that it holds in light and in dark."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).parent / "static"


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


CSS = """
/* Else a list that grows after its tab was opened is cut off below the window. */
gradio-app, .gradio-container, .gradio-container .main, .gradio-container .wrap {
    flex-shrink: 0 !important; }
.sf-card { border: 1px solid var(--border-color-primary); border-radius: 10px;
    padding: .6em .8em; margin: .45em 0; background: var(--block-background-fill);
    color: var(--body-text-color); overflow-wrap: anywhere; }
.sf-card p { margin: .2em 0; white-space: pre-wrap; }
.sf-card h4 { margin: .1em 0 .4em; }
.sf-card .sf-reply { border-left: 3px solid var(--border-color-primary); padding-left: .6em;
    opacity: .8; }
.sf-head { display: flex; flex-wrap: wrap; gap: .2em .8em; align-items: center;
    font-size: .85em; opacity: .85; }
.sf-bar { display: inline-block; width: 5em; height: .55em; border-radius: .3em;
    background: var(--border-color-primary); overflow: hidden; margin-right: .3em; }
.sf-bar i { display: block; height: 100%; background: var(--color-accent); }
.sf-acts { display: flex; flex-wrap: wrap; gap: .4em; margin-top: .45em; }
.sf-acts button, .sf-acts button:last-child { border: 1px solid var(--border-color-primary);
    border-radius: 6px; margin: 0; padding: .15em .7em; font-size: .85em; line-height: 1.5;
    font-weight: 400; cursor: pointer; box-shadow: none;
    background: var(--button-secondary-background-fill);
    color: var(--button-secondary-text-color); }
.sf-acts button:hover, .sf-acts button:focus-visible { border-color: var(--color-accent); }
.sf-archived { border-style: dashed; }
.sf-archived > p { opacity: .65; }
.sf-card summary { cursor: pointer; font-size: .85em; opacity: .85; }
.sf-card table { font-size: .85em; }
.sf-card td { padding: 0 .8em 0 0; border: none; }
.sf-quiet { color: var(--body-text-color); opacity: .75; margin: .3em 0; }
.sf-day { margin: 1em 0 .2em; }
.html-container { padding: 0 !important; }
.sf-done:not(:has(.sf-quiet)), #chat-notice:not(:has(p)), #night-progress:not(:has(p)),
#import-export-notice:not(:has(p)) { display: none; }
.sf-done { position: sticky; top: .5em; z-index: 5; border-radius: 8px; padding: .3em .8em;
    border: 1px solid var(--color-accent); background: var(--block-background-fill); }
.sf-done .sf-done { position: static; border: none; padding: 0; }
.sf-ask { position: fixed !important; left: 50%; bottom: 1em; transform: translateX(-50%);
    z-index: 1000; width: min(40rem, 94vw) !important; max-height: 85vh; overflow: auto;
    border: 1px solid var(--color-accent); border-radius: 10px;
    box-shadow: 0 6px 30px rgb(0 0 0 / .35); background: var(--block-background-fill); }
.sf-ask .sf-ask { position: static !important; transform: none; width: auto !important;
    border: none; box-shadow: none; max-height: none; overflow: visible; }
.sf-ask .html-container { padding: .6em 1em !important; }
#chat .message { font-size: 1em; }
#chat .message-content .md { white-space: pre-wrap; }
#chat .placeholder { padding: 0 1.5em; text-align: center; }
#chat .icon-button-wrapper.top-panel { display: none; }
#remembered, #memories, #portrait { container-type: inline-size; }
#top, #person-row { align-items: center; }
#talk-acts { flex-wrap: wrap; gap: .4em; }
#talk-acts button { flex: 0 1 auto; width: auto; min-width: 0; white-space: nowrap; }
@media (max-width: 640px) {
    #heading h1 { font-size: 1.3em; white-space: nowrap; }
    #notice .sf-quiet { font-size: .85em; }
    .sf-acts button, .sf-acts button:last-child { padding: .4em .8em; }
    #person-row { flex-wrap: nowrap; }
    #name { min-width: 0 !important; }
    #top { flex-direction: column; align-items: flex-start; gap: .3em; }
    #language { flex: none; }
    button[role=tab] { padding: .3em .5em !important; }
}
"""

CSS += _static("panels.css")

HEAD = """<style>
.gradio-container { overflow: clip !important; }
.toast-title { display: none !important; }
@media (max-width: 640px) { .gradio-container .main.app { padding: .6em .7em !important; } }
</style>"""
HEAD += f'<script type="module">{_static("curves.js")}</script>'
"""For what is outside of the blocks, which :data:`CSS` does not reach. Without the clipping
nothing could stay in sight while the page is scrolled. What Gradio writes over its own short
notices is in the browser's language and not in the page's."""

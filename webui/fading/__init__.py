"""How memories fade, drawn as curves."""

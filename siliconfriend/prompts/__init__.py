"""Prompt files, rendered with words that cannot break out of them."""

"""Erasure: memories, or a whole person, removed from everywhere, with proof."""

"""Adapters that put this memory behind other frameworks' interfaces; each needs its extra."""

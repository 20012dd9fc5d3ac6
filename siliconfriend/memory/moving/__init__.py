"""Move a memory from one store to another, so that there is one of it and nothing is missing."""

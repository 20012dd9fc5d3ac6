"""The shared state of many machines: rows of the database in which the memories are."""

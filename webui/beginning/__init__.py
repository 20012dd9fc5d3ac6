"""Who begins: known people, and a new name."""

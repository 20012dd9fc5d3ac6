"""Moving a memory from one store to another."""

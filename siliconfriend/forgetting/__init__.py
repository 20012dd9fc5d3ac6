"""The forgetting curve and its decisions: pure functions without files, clock or randomness."""

"""The forgetting curve and what it decides: a pure kernel, with no files, clock or dice."""

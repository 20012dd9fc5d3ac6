"""Finding what matters to what is being said now."""

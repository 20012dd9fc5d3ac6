"""A memory as a card, and what can be done with it."""

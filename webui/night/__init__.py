"""A person's own night, and how the last ones went."""

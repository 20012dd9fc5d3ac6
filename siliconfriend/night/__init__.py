"""The night run: sum up days, extract facts, and archive memories that are never recalled."""

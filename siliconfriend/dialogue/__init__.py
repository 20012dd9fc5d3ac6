"""The reply: what is recalled, said and kept."""

"""The reply: recall, prompt or rules, answer, record."""

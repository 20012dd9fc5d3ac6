"""The talk: its lines, and the routes that they come and go by."""

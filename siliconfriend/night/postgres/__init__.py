"""Nights over memory in a database: what they share, and the queue that hands them out."""

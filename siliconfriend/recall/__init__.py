"""Retrieval: find the memories that a message is about."""

"""Embedders: one protocol and its implementations."""

"""Choosing, making and editing a companion."""

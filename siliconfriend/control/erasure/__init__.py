"""Erase memories or a whole person everywhere, and prove the erasure."""

"""The past from other programs."""

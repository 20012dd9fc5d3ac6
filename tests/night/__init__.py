"""Tests of the night."""

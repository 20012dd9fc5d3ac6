"""Tests of erasure, with a search of every file after it."""

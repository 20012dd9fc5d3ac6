"""Tests of what is taken out of the talk."""

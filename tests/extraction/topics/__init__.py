"""Tests of what two people keep coming back to."""

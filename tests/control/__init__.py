"""Tests of the person's own hand on their memory."""

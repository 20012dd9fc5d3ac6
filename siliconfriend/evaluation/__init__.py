"""Measure recall and answers of each recipe under the same conditions."""

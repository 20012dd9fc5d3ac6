"""Measuring what is recalled and what is answered, by each recipe under the same conditions."""

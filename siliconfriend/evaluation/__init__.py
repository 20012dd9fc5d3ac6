"""Measuring what is recalled and what is answered: each recipe a row under the same conditions."""

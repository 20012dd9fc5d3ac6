"""The person's own hand on what is remembered of them."""

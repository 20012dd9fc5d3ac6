"""What is remembered, and the places that keep it."""

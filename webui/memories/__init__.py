"""The memories as a timeline, and taking them in and out."""

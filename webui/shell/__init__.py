"""What stands around the panels."""

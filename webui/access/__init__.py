"""Who asks, in which language, and with which companion."""

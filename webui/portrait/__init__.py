"""Who somebody is to the companion, at a glance."""

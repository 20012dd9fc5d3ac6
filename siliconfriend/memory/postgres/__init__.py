"""Memory in PostgreSQL, where people outgrow one machine."""

"""Memory in PostgreSQL: what only a database can do, and do wrong."""

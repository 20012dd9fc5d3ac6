"""The indexes of memories that are kept in PostgreSQL."""

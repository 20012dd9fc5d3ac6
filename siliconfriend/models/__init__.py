"""Chat models: one interface and its implementations."""

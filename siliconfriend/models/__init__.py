"""Chat models: one port, and what stands behind it."""

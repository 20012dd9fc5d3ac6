"""Long runs of what the suite does in short: real figures for ``docs/reliability.md``."""

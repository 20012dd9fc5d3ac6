"""The replies that are being made, and what a tab is told of them."""

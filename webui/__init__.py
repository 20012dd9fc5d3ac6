"""The web page: one panel a file, with no logic of its own."""

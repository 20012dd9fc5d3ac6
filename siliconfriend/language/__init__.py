"""Functions on text alone, in Chinese, English and both mixed; nothing here knows of memories."""

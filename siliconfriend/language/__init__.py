"""Functions on text in Chinese, English and both mixed; none of them knows of memories."""

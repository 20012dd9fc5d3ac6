"""Functions on text alone, in Chinese, English and both mixed; nothing here knows of memories.

Two tokenizers that differ would store a memory under one form of a word and look for it under another.
"""

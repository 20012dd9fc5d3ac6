"""Functions on text alone, in Chinese, English and both mixed; nothing here knows of memories.

Every other room takes these from here. Two tokenizers that differ by accident would store a
memory under one form of a word and look for it under another. Where two have to differ, both
are named functions over the same runs of characters (:func:`tokenizer.runs`).
"""

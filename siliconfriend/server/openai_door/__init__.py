"""OpenAI's door: the companion for every program that speaks to OpenAI's chat completions.

Such a client knows nothing of a memory. It sends its whole history again with each message,
asks the same door for titles and tags, and lets a person rewrite what was said. What is talk
and what is not, and what of it is kept, is decided here.
"""

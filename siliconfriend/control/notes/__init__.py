"""A memory as Markdown notes that a person can read, and open as an Obsidian vault.

Reading it changes nothing, and the same memory gives the same bytes. What was remembered is
data: escaped, so that none of it can pass for front matter, a heading or a link.
"""

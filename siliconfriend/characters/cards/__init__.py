"""Character cards and lorebooks of other programs, read into a companion and written back.

A card is somebody else's data. Nothing in it is run: no script, no regular expression, no
HTML, no address is opened; what has no place here is listed and kept for the way back.
"""

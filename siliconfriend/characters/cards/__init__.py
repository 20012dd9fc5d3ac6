"""Import and export character cards and lorebooks of other programs.

A card is data of a stranger: no script, regular expression, HTML or address in it is used. Unused
parts are listed and kept for the export.
"""

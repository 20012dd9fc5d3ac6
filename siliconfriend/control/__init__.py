"""Let people list, search, correct, put away and erase their memories."""

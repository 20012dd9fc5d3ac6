"""Topics that come up again and again: pages of talk, joined, heated, analysed, archived."""

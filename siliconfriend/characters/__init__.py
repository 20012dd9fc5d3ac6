"""Characters and lore of companions: the operator's, apart from every person.

Lore is recalled beside a person's memories, and no night, forgetting or erasure changes it.
"""

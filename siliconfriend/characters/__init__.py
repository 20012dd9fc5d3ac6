"""Characters and lore of companions, apart from every person.

Both belong to the operator. Lore is recalled beside a person's memories, never mixed into them: no
night, forgetting or erasure of a person changes it, and nothing a person says gets into it.
"""

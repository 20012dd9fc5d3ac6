"""The stages of a night, one file each.

A stage reads what the stages before it wrote through the store and nothing else, so each
can be run alone, and a night that was killed goes on where the memory says it is. One counts
in ``night.report`` what was due and what was done, and changes nothing in a dry run.
"""

"""The stages of a night, one file each.

A stage reads what the stages before it wrote through the store and nothing else, so each can run
alone, and a killed night resumes from the stored state. A stage adds its due and done counts to
``night.report``, and changes nothing in a dry run.
"""

"""Read the export files of other programs into a memory."""

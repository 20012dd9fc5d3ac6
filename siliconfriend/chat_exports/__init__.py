"""What people bring with them: the export files of other programs, read into one memory."""

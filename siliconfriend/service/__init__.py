"""The memory as a service to other programs, over the Model Context Protocol (MCP).

Its tools stand on the same store, recall and live conversation as the terminal and the web
page: a program that wrote into the files by itself would lose locks, the user's own days
and everything that is derived from a turn.
"""

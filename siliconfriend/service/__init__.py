"""The memory as a service to other programs, over the protocol their models speak.

What is offered outside stands on the same store, recall and live talk as the terminal and
the web page: a program that wrote into the files by itself would lose locks, the person's
own days and everything that is derived from a turn.
"""

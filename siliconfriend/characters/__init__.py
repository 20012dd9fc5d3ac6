"""Who a companion is: its character and what it knows and has lived, apart from every person.

This is the operator's part of the memory. It is recalled beside what a person told, never
mixed into it: no person's night, forgetting or erasing reaches it, and nothing a person
says ends up in it.
"""

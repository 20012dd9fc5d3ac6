"""The systems that the project grew from and that the default path does not use.

Only the evaluation, the package's public names and the HTTP query service import this package. A
recipe or policy is loaded when it is named. ``docs/architecture.md`` lists the module of each system.
"""

"""The stages of a night, one file each.

A stage reads what the stages before it wrote through the store and nothing else, so each
can be run alone, and a night that was killed goes on where the memory says it is.

To add one: write ``<name>.py`` here with ``NAME`` and ``run(night: PersonNight) -> None``,
which counts in ``night.report`` what was due and what was done and changes nothing in a
dry run; add it to ``RUNS`` in :mod:`siliconfriend.night.people` at its place in
the order; and, where the report should say more than the count, add a sentence to
``texts/{en,cn}/night.toml`` and to :mod:`siliconfriend.night.report`.
"""

"""What all front ends of one installation agree on, wherever their processes run.

The page, the API and MCP may each run in several processes on several hosts. Who may come in,
who has come in, how often somebody tried and which talk is being answered must be the same in
all of them: kept by each process for itself, a lock-out would hold at one door and not at the
next. Each part is a small protocol with a side for a data directory and one for a database.
"""

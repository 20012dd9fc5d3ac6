"""State shared by the processes of an installation: accounts, leases, limits, jobs."""

"""What the processes of one installation share beside the memories: accounts, leases, limits, jobs."""

"""Who does the work: a worker whose bounds are kept, processes, and a crew of any of these."""

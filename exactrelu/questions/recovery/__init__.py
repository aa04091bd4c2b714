"""Recovery: from exact answers to queries to the parameters of a network (theory 5)."""

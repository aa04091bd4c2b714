"""ReLU networks: the value, its evaluation, its symmetries, its rewriting and its file formats."""

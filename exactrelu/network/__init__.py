"""ReLU networks: the value, its evaluation, its symmetries and its file formats."""

"""Injectivity of layers and networks, and how far apart they keep points (theory 6)."""

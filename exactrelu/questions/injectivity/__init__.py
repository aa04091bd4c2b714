"""Injectivity of layers (theory 6)."""

"""Locally linear attributes of networks (theory 7)."""

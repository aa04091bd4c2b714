"""The polyhedral complex of a network: activation regions and their neighbours."""

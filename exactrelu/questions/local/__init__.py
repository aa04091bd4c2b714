"""What a network does near sample points: regions, distances, local maps (theory 7)."""

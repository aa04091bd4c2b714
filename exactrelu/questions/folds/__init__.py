"""Fold-sets, dependency graphs, and networks determined by their function (theory 4)."""

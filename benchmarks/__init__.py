"""Benchmarks: exactrelu and its peers on the same input in the same run, with ratios."""

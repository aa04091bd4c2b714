"""Experiments of the papers, on data that comes with scikit-learn."""

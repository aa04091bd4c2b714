"""Exact numbers: scalars, text, matrices, linear algebra over Q, balls, real roots."""

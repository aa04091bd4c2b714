"""Exact numbers: the scalar type, matrices, linear algebra over Q, real roots."""

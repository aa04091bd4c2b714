"""Graphs of affine and piecewise linear operations on tensors, lowered to layers of units."""

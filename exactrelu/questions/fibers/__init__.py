"""Fibers: all parameters with the function of a given network."""

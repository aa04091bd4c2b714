"""Isomorphism of networks: equality up to permutation and positive scaling of hidden neurons."""

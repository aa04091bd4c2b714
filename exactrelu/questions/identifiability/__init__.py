"""Which networks are determined by their function, up to permutation and scaling."""

"""The exact polyhedral kernel: linear programs, polyhedra, cones, arrangements, domains."""

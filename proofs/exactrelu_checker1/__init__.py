"""Independent checker of exactrelu certificates: standard library only, integers only."""

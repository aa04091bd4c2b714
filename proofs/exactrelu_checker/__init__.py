"""The independent checker of exactrelu certificates: standard library, integers only."""

"""The independent checker of exactrelu certificates: standard library, integers only."""

__version__ = "0.1.0"

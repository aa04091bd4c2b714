"""The independent checker of exactrelu certificates, format 2: standard library, integers only."""

__version__ = "0.1.0"

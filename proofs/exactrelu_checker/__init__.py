"""The independent checker of exactrelu certificates, format 2: standard library, integers only."""

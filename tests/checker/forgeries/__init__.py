"""One table of cases for each claim kind, and for the container, the options and the limits."""

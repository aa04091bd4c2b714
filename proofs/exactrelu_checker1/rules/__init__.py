"""One module for each claim kind, each with the statement that it proves and why it is sound."""

"""The command line: one module per command, heavy imports only when it runs."""

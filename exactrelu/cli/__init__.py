"""The command line: commands by family, each declared once; heavy imports only when one runs."""

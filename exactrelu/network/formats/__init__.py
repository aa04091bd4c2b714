"""Network files: a reader or writer for each format, imported only when used."""

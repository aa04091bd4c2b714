"""Network files: one reader or writer for each format, imported only when used."""

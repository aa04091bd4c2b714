"""Is a network generic?  One module for each sense of the papers."""

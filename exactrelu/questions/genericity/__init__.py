"""Is a network generic?  One file for each condition; ``senses`` lists what can be asked."""

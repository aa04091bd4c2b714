"""Is a network generic?  One module for each condition; ``senses`` lists what can be asked."""

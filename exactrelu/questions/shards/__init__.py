"""Questions that are too large for one piece of work: their pieces, each with its own proof."""

"""Questions about networks and matrices, each answered with its evidence."""

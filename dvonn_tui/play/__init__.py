"""Who plays, and how a game is run: the session that joins seats, game and listeners."""

"""Reviews: games judged move by move."""

"""Games judged move by move."""

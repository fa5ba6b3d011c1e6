"""Puzzles: those that come with outplay, and those from saved games."""

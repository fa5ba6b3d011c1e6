"""Puzzles: those that ship, and those from saved games."""

"""Anything that chooses a move."""

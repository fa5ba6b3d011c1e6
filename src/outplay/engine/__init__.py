"""Engines: everything that chooses a move."""

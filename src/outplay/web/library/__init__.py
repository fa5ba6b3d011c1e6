"""Saved games: listed, imported, exported."""

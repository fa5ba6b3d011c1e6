"""Lessons, and a person's record."""

"""A class: pupils join with a code, a teacher pairs them, and everyone's games are on one page."""

"""Long builds, planned as jobs: endgame tables, opening books and evaluation weights."""
